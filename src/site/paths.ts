/** Addresses of the screens. */
export const SCREEN_PATHS = {
  body: '/explore',
  fit: '/explore/fit',
  reach: '/explore/reach',
  sizes: '/explore/sizes',
  dimension: '/explore/dimension',
  person: '/explore/person',
} as const;

/** Address of the first page of the documentation, and of the list of all guides. */
export const DOCS_PATH = '/docs';
export const GUIDES_INDEX_PATH = `${DOCS_PATH}/guides`;

/** Addresses of the files of a sheet, without `.csv` or `.svg`. */
export const SHEET_FILES = '/explore/sheet';

/** Addresses of screens that are parts of other screens now. They are redirected. */
export const MOVED_PATHS = ['/explore/sheet', '/explore/world'] as const;

/** Address of the picture of a measurement, as JSON. */
export const FIGURE_PATH = `${SCREEN_PATHS.dimension}/figure`;

/** Address of the surface that all bodies share, as JSON. */
export const SURFACE_PATH = `${SCREEN_PATHS.person}/surface`;

/** Path of all pictures of people. */
export const PEOPLE_PATH = '/pictures/people/';

/** Addresses of the pages where a signed-in customer downloads a body, or an envelope of reach. */
export const BODY_DOWNLOAD_PATH = '/account/body';
export const ENVELOPE_DOWNLOAD_PATH = '/account/envelope';
/** The page that downloads a body in a scene of the Reach screen. */
export const STANCE_DOWNLOAD_PATH = '/account/stance';

/** One of the screens. */
export type ScreenId = keyof typeof SCREEN_PATHS;

/** Names of the screens, in the order of their bar. */
export const SCREEN_LABELS: Readonly<Record<ScreenId, string>> = {
  body: 'Body',
  fit: 'Fit',
  reach: 'Reach',
  sizes: 'Sizes',
  dimension: 'Measurement',
  person: 'Person',
};

/** The question that each screen answers. */
export const SCREEN_QUESTIONS: Readonly<Record<ScreenId, string>> = {
  body: 'How large are people?',
  fit: 'Will it fit?',
  reach: 'Who reaches and sees?',
  sizes: 'How many sizes?',
  dimension: 'How large is one measurement?',
  person: 'What does a person look like?',
};

/** Forms of share images: pixels for other sites, and a document for slides. */
export const SHARE_FORMS = ['png', 'svg'] as const;
/** All pictures of a view: the share images, and the scene alone for pages of this service. */
export const VIEW_PICTURES = [...SHARE_FORMS, 'scene'] as const;
/** One picture of a view. */
export type ViewPicture = (typeof VIEW_PICTURES)[number];

/** Size of a scene, in pixels. */
export const SCENE_SIZE = { width: 960, height: 480 } as const;

/** Address of a picture of a page. With the query of a view, it shows this view. */
export function shareImagePath(path: string, form: ViewPicture = 'png'): string {
  return `${path === '/' ? '' : path}/${form === 'scene' ? 'scene.svg' : `share.${form}`}`;
}

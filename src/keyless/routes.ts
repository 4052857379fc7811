import { MEASUREMENT_NAMES } from '../core/measurements.js';
import { PAGES } from '../pages/docs/index.js';
import { PICTURES_PATH } from '../pages/docs/rendered-text.js';
import { SEARCH_PATH } from '../pages/docs/search-page.js';
import { MARK_PATH } from '../site/mark.js';
import {
  FIGURE_PATH,
  MOVED_PATHS,
  PEOPLE_PATH,
  SCREEN_PATHS,
  type ScreenId,
  SHEET_FILES,
  SURFACE_PATH,
  shareImagePath,
  VIEW_PICTURES,
} from '../site/paths.js';
import type { AnyPicture } from '../site/pictures/addresses.js';

/**
 * How a route without an API key is answered:
 *
 * - `static`: on the event loop, from memory or from a file
 * - `kept`: in the page thread; the text is made once per version of the model and then cached, or a redirect
 * - `computed`: in the page thread; the answer depends on the query, and each address has a limit
 * - `account`: on the event loop; forms and pages of a session, with their own limits
 * - `message`: on the event loop; a signed message of the payment provider
 */
export type RouteClass = 'static' | 'kept' | 'computed' | 'account' | 'message';

const classed = (kind: RouteClass, paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, kind]));

const SCREENS = Object.values(SCREEN_PATHS);
const shareImages = (path: string) => VIEW_PICTURES.map((form) => shareImagePath(path, form));
const MOVED = MOVED_PATHS.flatMap((path) => [path, `${path}/data`, shareImagePath(path)]);

/**
 * All routes that need no API key. `*` stands for the rest of a path. A test refuses routes that are missing
 * here. The page app answers the routes that are `kept` or `computed`. It runs in its own thread.
 */
export const KEYLESS_ROUTES: Readonly<Record<string, RouteClass>> = {
  // A program gets the catalog from memory. A browser gets a page, which is of the kind `kept`.
  ...classed('static', ['/', '/health', '/ready', '/assets/*', MARK_PATH]),
  ...classed('kept', ['/openapi.json', '/llms.txt', '/llms-full.txt', SURFACE_PATH]),
  ...classed(
    'kept',
    PAGES.map(({ path }) => path),
  ),
  ...classed('kept', ['/docs/', '/docs/reference/', `${PICTURES_PATH}/*`]),
  ...classed('computed', [SEARCH_PATH, FIGURE_PATH, `${PEOPLE_PATH}*`]),
  ...classed('computed', SCREENS),
  ...classed(
    'computed',
    SCREENS.map((path) => `${path}/data`),
  ),
  ...classed('computed', ['/', ...SCREENS].flatMap(shareImages)),
  ...classed(
    'computed',
    ['csv', 'svg'].map((kind) => `${SHEET_FILES}.${kind}`),
  ),
  ...classed('kept', MOVED),
  ...classed('account', ['/account', '/account/*']),
  ...classed('message', ['/webhooks/stripe']),
};

/** The routes of the page app. The page app also answers `/` for browsers. */
export const PAGE_ROUTES: readonly string[] = Object.entries(KEYLESS_ROUTES)
  .filter(([, kind]) => kind === 'kept' || kind === 'computed')
  .map(([path]) => path);

/** Largest request to a `computed` route. */
export interface LargestWork {
  /** The queries with the most work, or pictures. They meet different bounds. */
  readonly asked: readonly (string | AnyPicture)[];
  /** Maximum of the estimated processor time, ms, that one request of any address asks the pool for. */
  readonly workMs: number;
}

/** Parameters for six populations, which is the most: all adults, with clothing. */
const SIX = Array.from({ length: 6 }, (_, i) => `p=Both~World~${18 + i}-120~winter`).join('&');
const NAMES = MEASUREMENT_NAMES.filter((name) => !name.startsWith('Female')).toReversed();
const each = (count: number, text: (name: string, index: number) => string) =>
  NAMES.slice(0, count).map(text).join('&');
const known = each(8, (_, i) => `who=${1600 + i}~~~${60 + i}`);
const targets = each(12, (_, i) => `target=L~${500 + i}~-300~560~grip~either~trunk`);

const LARGEST_SHEET = `form=sheet&${SIX}&m=${NAMES.slice(0, 60)}`;

const OF_SCREENS: Readonly<Record<ScreenId, LargestWork>> = {
  // `CHOSEN_MAX` populations and `BODY_MEASUREMENTS_MAX` dimensions
  // or `SHEET_MAX` dimensions of one population
  body: { asked: [`${SIX}&m=${NAMES.slice(0, 12)}&posture=relaxed`, LARGEST_SHEET], workMs: 6000 },
  // `BOX_LIMITS_MAX` limits, `KNOWN_MAX` people; `REQUEST_WORK_MS_MAX` ends the search for sizes of each population
  fit: {
    asked: [`${SIX}&${each(8, (name) => `limit=${name}~auto~auto`)}&${known}&drawn=Female`],
    workMs: 10_000,
  },
  // `MOST` demands, but `WORK_MS_MAX` of `reach_share`
  reach: { asked: [`template=cupboard&${SIX}&${targets}&turn=30`], workMs: 7000 },
  // `SIZED_DIMENSIONS_MAX` dimensions and all `STEPS`
  sizes: { asked: [`${SIX}&${each(4, (name) => `d=${name}~20`)}&target=99.9`], workMs: 6000 },
  // `COUNTRIES_LIMITS` of one age, or all countries
  dimension: {
    asked: [
      'view=ages&measurement=BodyMass&country=DE,FR,JP,US,NL,CN,IN,BR,NG,MX',
      'view=countries&measurement=BodyMass',
    ],
    workMs: 100,
  },
  // `CASE_DIMENSIONS`, `KNOWN_MAX` values, one body
  person: {
    asked: [`from=case&${SIX}&d=${NAMES.slice(0, 6)}`, each(6, (name) => `known=${name}~P50`)],
    workMs: 3000,
  },
};

const PERSON = { gender: 'Male', ageYears: 40, valuesMm: { Stature: 1750 }, massKg: 80 } as const;
const LARGEST_PICTURE: AnyPicture = {
  ...{ person: PERSON, suit: '#0b5f66', seen: [30, 20], heightPx: 2400 },
  frame: [-1250, 1250, -1200, 1200],
  stance: {
    ...{ pose: 'sitting', trunkDegrees: -10, eye: [80, 0, 735], feet: [] },
    hands: [{ at: [550, 250, 500], by: 'grip' }, undefined],
  },
};
/** Pictures of a share image: `PEOPLE_MAX` with up to 2 megapixels. */
const SHARED_MS = 8 * 1000;

/** The largest work of each `computed` route. A test requests it, and fails for routes that are missing here. */
export const LARGEST_WORK: Readonly<Record<string, LargestWork>> = {
  // `QUERY_CHARS_MAX` and `TERMS_MAX`; the pool has no work
  [SEARCH_PATH]: { asked: [`q=${'measurement+'.repeat(12)}`], workMs: 0 },
  ...Object.fromEntries(shareImages('/').map((path) => [path, { asked: [''], workMs: SHARED_MS }])),
  // one person in one country
  [FIGURE_PATH]: { asked: ['measurement=Stature&country=World'], workMs: 10 },
  // `PIXELS_MAX`
  [`${PEOPLE_PATH}*`]: { asked: [LARGEST_PICTURE], workMs: 2200 },
  ...Object.fromEntries(
    Object.entries(OF_SCREENS).flatMap(([id, { asked, workMs }]) => {
      const path = SCREEN_PATHS[id as ScreenId];
      return [
        ...[path, `${path}/data`].map((one) => [one, { asked, workMs }] as const),
        ...shareImages(path).map((one) => [one, { asked, workMs: workMs + SHARED_MS }] as const),
      ];
    }),
  ),
  [`${SHEET_FILES}.csv`]: { asked: [LARGEST_SHEET], workMs: 3000 },
  // a picture of each view
  [`${SHEET_FILES}.svg`]: { asked: [LARGEST_SHEET], workMs: 25_000 },
};

import { createHash } from 'node:crypto';
import { type Box, type Lying, lyingIn, type ViewName } from '../../render/drawing.js';
import { frameOf } from '../../render/frames.js';
import { type PictureOf, pictureOf, pictureText, RENDERER_VERSION } from '../../render/picture.js';
import { type StancePicture, stancePictureOf, stanceText } from '../../render/stance-picture.js';
import { PEOPLE_PATH } from '../paths.js';

/** Forms of a picture: pixels, a document with lines and silhouette, and what a page can say about it. */
export const PICTURE_TYPES = {
  webp: 'image/webp',
  png: 'image/png',
  svg: 'image/svg+xml',
  json: 'application/json',
} as const;
/** A form of a picture. */
export type PictureForm = keyof typeof PICTURE_TYPES;

/** A picture of a person in a view or in a stance. */
export type AnyPicture = PictureOf | StancePicture;

/** Device pixels of pictures per CSS pixel. */
const DEVICE_PX = 2;
/** Heights of pictures come in steps, so that pages of nearly the same size share them, device pixels. */
const STEP_PX = 80;

/** Height of a picture that a page shows with a height in CSS pixels, device pixels. */
export function deviceHeightPx(cssPx: number): number {
  return STEP_PX * Math.ceil((DEVICE_PX * cssPx) / STEP_PX);
}

/**
 * The address of a picture. It has the whole description, so that every node can make the picture, and a hash of the
 * description, the artifact and the version of the renderer.
 */
export function pictureAddress(
  picture: AnyPicture,
  form: PictureForm,
  artifactVersion: string,
): string {
  const text = 'stance' in picture ? stanceText(picture) : pictureText(picture);
  return `${PEOPLE_PATH}${text}~${hashOf(text, artifactVersion)}.${form}`;
}

/** The picture of an address below `PEOPLE_PATH`; undefined if no page has such an address. */
export function pictureAt(
  file: string,
  artifactVersion: string,
): { readonly picture: AnyPicture; readonly form: PictureForm } | undefined {
  const [, text = '', hash, ending = ''] = /^(.*)~([\w-]{16})\.(\w+)$/.exec(file) ?? [];
  if (!Object.hasOwn(PICTURE_TYPES, ending) || hash !== hashOf(text, artifactVersion)) {
    return undefined;
  }
  const picture = pictureOf(text) ?? stancePictureOf(text);
  return picture && { picture, form: ending as PictureForm };
}

function hashOf(text: string, artifactVersion: string): string {
  const whole = `${text} ${artifactVersion} ${RENDERER_VERSION}`;
  return createHash('sha256').update(whole).digest('base64url').slice(0, 16);
}

/** Pixels of a person as a page shows them. The page knows their size before anybody has made them. */
export interface PageImage {
  /** The part of the view that it shows, mm from the origin of the view. */
  readonly frame: Box;
  /** Address of the pixels. The address of its places (`PicturePlaces`) ends in `json`. */
  readonly href: string;
}

/** A picture of a person in a view as a page shows it. */
export interface PagePicture extends PageImage {
  readonly view: ViewName;
  /** How the person lies; absent for upright people and parts of people. */
  readonly lying?: Lying;
  /** Address of its places. */
  readonly places: string;
  /** Address of the document with the lines of measurements on the person; absent without such lines. */
  readonly figure?: string;
}

/** Describes a picture for a page. */
export function pagePicture(
  { lines, ...picture }: PictureOf,
  artifactVersion: string,
): PagePicture {
  const { view, person } = picture;
  const lying = lyingIn(view, person.ageYears);
  const frame = frameOf(view, person);
  const [left, right, bottom, top] = frame;
  // The height is that of upright people. Those who lie are as long in the picture.
  const share = lying === 'fromSide' ? (top - bottom) / (right - left) : 1;
  const sized = { ...picture, heightPx: Math.ceil(share * picture.heightPx) };
  return {
    ...(lying === undefined ? { view, frame } : { view, frame, lying }),
    href: pictureAddress(sized, 'webp', artifactVersion),
    places: pictureAddress(sized, 'json', artifactVersion),
    ...(lines === undefined
      ? {}
      : { figure: pictureAddress({ ...sized, lines }, 'svg', artifactVersion) }),
  };
}

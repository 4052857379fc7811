import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Box } from '../../render/drawing.js';
import { frameOf, type Lying, lyingIn, type ViewName } from '../../render/frames.js';
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

/** A picture that a page of this deployment shows. */
export interface AddressedPicture {
  readonly picture: AnyPicture;
  readonly form: PictureForm;
  /** Whether the page has the data and the renderer of this node; otherwise this node's picture differs from it. */
  readonly isOfThisVersion: boolean;
}

/** Characters of a signature (96 bits) and of a version. */
const [SIGNATURE_CHARS, VERSION_CHARS] = [16, 8];

/**
 * The addresses of pictures. An address has the whole description of its picture, so that every node can make it; the
 * version of the data and of the renderer, because caches keep pictures for ever; and a signature of both (HMAC,
 * RFC 2104), so that only pages can describe pictures.
 */
export class PictureAddresses {
  readonly #versionOf: () => string;
  readonly #secretsOf: () => readonly string[];

  /**
   * @param versionOf the artifact version in use
   * @param secretsOf the values of the secret that count; the first one signs
   */
  constructor(versionOf: () => string, secretsOf: () => readonly string[]) {
    this.#versionOf = versionOf;
    this.#secretsOf = secretsOf;
  }

  /** The address of a picture. */
  of(picture: AnyPicture, form: PictureForm): string {
    const text = 'stance' in picture ? stanceText(picture) : pictureText(picture);
    const signed = `${text}~${this.#version()}`;
    return `${PEOPLE_PATH}${signed}~${signatureOf(signed, this.#secretsOf()[0] ?? '')}.${form}`;
  }

  /** The picture of an address; undefined if no page has such an address. */
  at(address: string): AddressedPicture | undefined {
    const file = address.slice(PEOPLE_PATH.length);
    const found = /^(.*)~([\w-]{16})\.(\w+)$/.exec(file);
    if (found === null) return undefined;
    const [, signed = '', signature = '', ending = ''] = found;
    const isOurs = this.#secretsOf().some((secret) =>
      timingSafeEqual(Buffer.from(signatureOf(signed, secret)), Buffer.from(signature)),
    );
    if (!Object.hasOwn(PICTURE_TYPES, ending) || !isOurs) return undefined;
    const text = signed.slice(0, -VERSION_CHARS - 1);
    const picture = pictureOf(text) ?? stancePictureOf(text);
    const isOfThisVersion = signed.endsWith(`~${this.#version()}`);
    return picture && { picture, form: ending as PictureForm, isOfThisVersion };
  }

  /** Describes a picture for a page. */
  page({ lines, ...picture }: PictureOf): PagePicture {
    const { view, person } = picture;
    const lying = lyingIn(view, person.ageYears);
    const frame = frameOf(view, person);
    const [left, right, bottom, top] = frame;
    // The height is that of upright people. Those who lie are as long in the picture.
    const share = lying === 'fromSide' ? (top - bottom) / (right - left) : 1;
    const sized = { ...picture, heightPx: Math.ceil(share * picture.heightPx) };
    return {
      ...(lying === undefined ? { view, frame } : { view, frame, lying }),
      href: this.of(sized, 'webp'),
      places: this.of(sized, 'json'),
      ...(lines === undefined ? {} : { figure: this.of({ ...sized, lines }, 'svg') }),
    };
  }

  #version(): string {
    const whole = `${this.#versionOf()} ${RENDERER_VERSION}`;
    return createHash('sha256').update(whole).digest('base64url').slice(0, VERSION_CHARS);
  }
}

function signatureOf(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, SIGNATURE_CHARS);
}

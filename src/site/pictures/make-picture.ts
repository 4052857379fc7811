import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { projectDir } from '../../core/project-dir.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { BodyViewer } from '../../render/body-viewer.js';
import type { Box } from '../../render/drawing.js';
import { frameOf } from '../../render/frames.js';
import { picturePlaces, pictureSvg, pixelsIn, renderPicture } from '../../render/picture.js';
import type { Pixels } from '../../render/render-surface.js';
import { renderStance, stancePlaces, stanceSvg } from '../../render/stance-picture.js';
import { type AnyPicture, PICTURE_TYPES, type PictureForm } from './addresses.js';
import { FileStore, type StoreOptions } from './file-store.js';

/** A picture to make. */
export interface PictureTask {
  readonly picture: AnyPicture;
  readonly form: PictureForm;
  /** Where people and pictures are kept. Without it, nothing is kept. */
  readonly store?: StoreOptions | undefined;
}

/** A made picture. */
export interface MadePicture {
  readonly type: string;
  readonly base64: string;
  /** The places of the picture, if the body was fitted for pixels. A page asks for them next. */
  readonly places?: MadePicture;
}

/** Quality of WebP files: at 80, no fault of the compression was visible on a screen; at 79, Reach loads in 120 kB. */
const WEBP_QUALITY = 79;

const viewers = new WeakMap<PredictionModel, BodyViewer>();

/** Viewer of the bodies of a model; made once. */
function viewerOf(model: PredictionModel): BodyViewer {
  const viewer = viewers.get(model) ?? new BodyViewer(model.bodies());
  viewers.set(model, viewer);
  return viewer;
}

/** Loads what pictures of a model need. */
export async function loadPictures(model: PredictionModel): Promise<void> {
  viewerOf(model);
  await encoder();
}

/**
 * Processor time of a fitted body and of a megapixel, ms, as measured: a body takes about 250 ms, and the first one of
 * a thread, whose code is not compiled yet, about 1,000 ms.
 */
const [BODY_MS, MEGAPIXEL_MS] = [600, 260];

/** Estimated processor time of a picture, ms. */
export function pictureMs({ picture, form }: PictureTask): number {
  const frame = 'stance' in picture ? picture.frame : frameOf(picture.view, picture.person);
  const pixels = form === 'json' ? 0 : pixelsIn(frame, picture.heightPx);
  return BODY_MS + (MEGAPIXEL_MS * pixels) / 1e6;
}

/** Hash of what pictures and answers depend on besides request and artifact: our code, sharp, the arithmetic of V8. */
let code: string | undefined;
const CODE_FOLDERS = [
  ...['body', 'core', 'lookup', 'operations', 'population', 'products', 'reach', 'render'],
  'site/pictures',
];

function codeVersion(): string {
  if (code !== undefined) return code;
  const hash = createHash('sha256');
  for (const folder of CODE_FOLDERS) {
    const path = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
    for (const file of readdirSync(path).sort()) hash.update(readFileSync(join(path, file)));
  }
  // The exact version of sharp is there.
  hash.update(readFileSync(join(projectDir(), 'package.json')));
  hash.update(`${process.versions.v8} ${process.arch}`);
  code = hash.digest('base64url');
  return code;
}

/** The text under which a picture, a person or an answer is kept. */
export function storeKey(artifactVersion: string, description: string): string {
  return `${codeVersion()} ${artifactVersion} ${description}`;
}

/** Fits the person of a picture, unless the store has it. */
function fitThrough(viewer: BodyViewer, { picture, store }: PictureTask, version: string): void {
  if (store === undefined) return;
  const files = FileStore.at(store);
  viewer.fit(picture.person, (description, make) =>
    files.valueOf(storeKey(version, description), make, serialize, deserialize),
  );
}

/**
 * Makes a picture. If the library for pixels cannot be loaded, it is a silhouette.
 *
 * @throws Problem `model_not_found` where the artifact has no bodies
 */
export async function makePicture(task: PictureTask, model: PredictionModel): Promise<MadePicture> {
  const { picture, form } = task;
  const viewer = viewerOf(model);
  fitThrough(viewer, task, model.artifactVersion);
  if (form === 'json') return placesOf(viewer, picture);
  const encode = await encoder();
  const isStance = 'stance' in picture;
  if (form !== 'svg' && encode !== undefined) {
    const pixels = isStance ? renderStance(viewer, picture) : renderPicture(viewer, picture);
    return { ...made(form, await encode(pixels, form)), places: placesOf(viewer, picture) };
  }
  if (isStance) return made('svg', Buffer.from(stanceSvg(viewer, picture)));
  // A document in place of pixels has no lines.
  const shown = form === 'svg' ? picture : { ...picture, lines: undefined };
  const image =
    encode &&
    (async (frame: Box) => {
      const pixels = renderPicture(viewer, shown, frame);
      return `data:image/webp;base64,${(await encode(pixels, 'webp')).toString('base64')}`;
    });
  return made('svg', Buffer.from(await pictureSvg(viewer, shown, image)));
}

function placesOf(viewer: BodyViewer, picture: AnyPicture): MadePicture {
  const places =
    'stance' in picture ? stancePlaces(viewer, picture) : picturePlaces(viewer, picture);
  return made('json', Buffer.from(JSON.stringify(places)));
}

function made(form: PictureForm, bytes: Buffer): MadePicture {
  return { type: PICTURE_TYPES[form], base64: bytes.toString('base64') };
}

type Encode = (pixels: Pixels, form: 'webp' | 'png') => Promise<Buffer>;
let loading: Promise<Encode | undefined> | undefined;

/** Encoder of pixels; undefined if the library cannot be loaded. The log says why. */
function encoder(): Promise<Encode | undefined> {
  loading ??= import('sharp').then(
    ({ default: sharp }): Encode => {
      sharp.cache(false);
      return ({ rgba, width, height }, form) => {
        const image = sharp(rgba, { raw: { width, height, channels: 4 } });
        return (
          form === 'webp' ? image.webp({ quality: WEBP_QUALITY }) : image.png({ palette: false })
        ).toBuffer();
      };
    },
    (error: Error): undefined => {
      console.error(
        `people are shown as silhouettes, because sharp cannot be loaded: ${error.message}`,
      );
      return undefined;
    },
  );
  return loading;
}

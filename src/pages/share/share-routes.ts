import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Piscina } from 'piscina';
import { Problem } from '../../core/errors.js';
import { programThread } from '../../core/program-thread.js';
import { SERVICE_TITLE, SERVICE_VERSION } from '../../core/version.js';
import { etagOf, isKnown } from '../../request/etag.js';
import { leftSignal } from '../../request/http.js';
import { ComputeError } from '../../request/pool.js';
import { sendProblem } from '../../request/problems.js';
import { BODY } from '../../screens/body/screen.js';
import { SCREENS } from '../../screens/index.js';
import { addressOf } from '../../screens/shared/address-fields.js';
import type { Screen, ScreenNeeds } from '../../screens/shared/screen.js';
import { sendCompressed } from '../../screens/shared/screen-routes.js';
import { SharedWork } from '../../screens/shared/shared-work.js';
import { shareImagePath, VIEW_PICTURES, type ViewPicture } from '../../site/paths.js';
import { type PageImage, PICTURE_TYPES } from '../../site/pictures/addresses.js';
import { queryOf } from '../../site/query.js';

/** A page with share images. */
interface SharedPage {
  readonly path: string;
  /** The screen whose views the images show. */
  readonly screen: Screen<unknown, unknown>;
  /** The title of the image, if the page has one image, of the first view. */
  readonly title?: string;
}

const PAGES: readonly SharedPage[] = [
  ...SCREENS.map((screen) => ({ screen, path: screen.address.path })),
  { screen: BODY, path: '/', title: SERVICE_TITLE },
];

/** Maximum size of cached images in bytes. About 30 fit; cards as documents are larger and not cached. */
const CACHE_BYTES = 4 * 1024 * 1024;
/** Longest time for the numbers of an image. */
const DATA_MS = 20_000;
/** What a share image as a document may load: its own styles and pictures. */
const DOCUMENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups";
/** How often an image waits for a busy service, and how long. */
const WAITS = 4;
const WAIT_MS = 1500;
const DAY_SECONDS = 24 * 3600;

/**
 * Registers the share images of the first page and of the screens. They show a view as PNG or as SVG, and they are free.
 * An image that is not in the cache counts against the limits of its address.
 */
export function shareRoutes(app: FastifyInstance, needs: ScreenNeeds): void {
  const { free, model, publicUrl } = needs;
  const pictures = new PicturePool();
  app.addHook('onClose', () => pictures.close());
  const cache = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => length,
  });
  /** Images that are being made now. */
  const inMaking = new SharedWork<Buffer>();

  /** The pictures of people in the form of pixels; undefined if the library for pixels is missing. */
  async function imagesOf(
    people: readonly PageImage[],
    pixels: 'png' | 'webp',
    left: AbortSignal,
  ): Promise<string[] | undefined> {
    const images: string[] = [];
    for (const { href } of people) {
      const found = free.addresses.at(href);
      if (found === undefined) continue;
      const { type, base64 } = await free.picture(found.picture, pixels, undefined, left);
      if (type !== PICTURE_TYPES[pixels]) return undefined;
      images.push(`data:${type};base64,${base64}`);
    }
    return images;
  }

  /** The content of an image. Pages ask for several images at once, so one waits while the others are computed. */
  async function contentOf({ screen, title }: SharedPage, view: unknown, left: AbortSignal) {
    for (let waits = WAITS; ; waits--) {
      try {
        const shown = await screen.page();
        const data = await shown.dataOf(view, needs, left);
        const content = await shown.shared(view, data, needs, left);
        return { ...content, title: title ?? content.title };
      } catch (error) {
        const isBusy = error instanceof Problem && error.code === 'service_busy';
        if (!isBusy || waits === 0 || left.aborted) throw error;
        await setTimeout(WAIT_MS);
      }
    }
  }

  async function made(
    key: string,
    page: SharedPage,
    view: unknown,
    form: ViewPicture,
    left: AbortSignal,
  ): Promise<Buffer> {
    const draw = async () => {
      const { sceneSvg, sharedPeople, shareSvg } = await import('../../site/share-card.js');
      const content = await contentOf(page, view, left);
      const isScene = form === 'scene';
      const images = await imagesOf(sharedPeople(content), isScene ? 'webp' : 'png', left);
      if (isScene) return sceneSvg(content, images);
      const { origin } = new URL(publicUrl());
      const { address } = page.screen;
      // What is shared goes to others, so it does not say what belongs to the visitor.
      const path = address.isOwn?.(view) === true ? address.path : addressOf(address, view);
      const link = page.title === undefined ? origin + path : origin;
      return shareSvg(content, link, images);
    };
    const image = await pictures[form === 'png' ? 'png' : 'svg'](draw).catch((error: unknown) => {
      if (!(error instanceof ComputeError)) throw error;
      throw new Problem('service_busy', 'Too many images are being made. Please try again soon.');
    });
    if (form !== 'svg') cache.set(key, image);
    return image;
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    page: SharedPage,
    form: ViewPicture,
  ): Promise<FastifyReply> {
    const { address } = page.screen;
    const view = address.read(page.title === undefined ? queryOf(request) : '');
    // All addresses with the same image have the same key.
    const version = [SERVICE_VERSION, model().artifactVersion];
    const key = [...version, form, page.path, address.query(view)].join(' ');
    reply
      .header(
        'cache-control',
        `${address.isOwn?.(view) === true ? 'private' : 'public'}, max-age=${DAY_SECONDS}`,
      )
      // Pages of other sites may show the image.
      .header('cross-origin-resource-policy', 'cross-origin');
    if (form !== 'png') reply.header('content-security-policy', DOCUMENT_POLICY);
    if (isKnown(request, reply, etagOf(key))) return reply.code(304).send();
    const kept = cache.get(key);
    const sent = (image: Buffer) =>
      form === 'png'
        ? reply.type(PICTURE_TYPES.png).send(image)
        : sendCompressed(request, reply, image, { type: PICTURE_TYPES.svg });
    if (kept !== undefined) return sent(kept);
    const exceeded = await free.count(request);
    if (exceeded !== undefined) {
      reply.header('retry-after', String(exceeded.retryAfterSeconds));
      return refuse(reply, exceeded.problem);
    }
    try {
      const make = async (allLeft: AbortSignal) => {
        const left = AbortSignal.any([allLeft, AbortSignal.timeout(DATA_MS)]);
        return made(key, page, view, form, left).finally(() => free.spend(request, left));
      };
      const image = await inMaking.resultOf(key, make, leftSignal(reply));
      return sent(image);
    } catch (error) {
      if (error instanceof Problem) return refuse(reply, error);
      throw error;
    }
  }

  for (const page of PAGES) {
    for (const form of VIEW_PICTURES) {
      app.get(shareImagePath(page.path, form), (request, reply) =>
        send(request, reply, page, form),
      );
    }
  }
}

function refuse(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.removeHeader('etag').header('cache-control', 'no-store');
  return sendProblem(reply, problem);
}

/** Maximum number of pictures that wait or are under way. Further pictures are refused. */
const WAITING_MAX = 16;
/** An idle thread ends after this time, which frees its memory. */
const IDLE_MS = 60_000;
/** Niceness of the thread on Linux: the event loop and computations go first (nice(2)). */
const NICE = 12;
const HEAP_MIB = 64;

/** Makes pictures, a limited number at once. A thread converts those of pixels; it starts with the first of them. */
export class PicturePool {
  #pool: Promise<Piscina<string, Uint8Array>> | undefined;
  #underWay = 0;

  /**
   * Converts an SVG document to PNG in its own size.
   *
   * @param draw makes the document; it is not called if too many pictures wait
   * @throws ComputeError `full` if too many pictures wait
   * @throws the error of `draw`
   */
  png(draw: () => Promise<string>): Promise<Buffer> {
    return this.#admitted(async () => {
      const svg = await draw();
      this.#pool ??= start();
      const pool = await this.#pool;
      return Buffer.from(await pool.run(svg));
    });
  }

  /** The bytes of an SVG document. Parameter and errors are those of `png`. */
  svg(draw: () => Promise<string>): Promise<Buffer> {
    return this.#admitted(async () => Buffer.from(await draw()));
  }

  async #admitted(make: () => Promise<Buffer>): Promise<Buffer> {
    if (this.#underWay >= WAITING_MAX) throw new ComputeError('full');
    this.#underWay++;
    try {
      return await make();
    } finally {
      this.#underWay--;
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }
}

async function start(): Promise<Piscina<string, Uint8Array>> {
  const { Piscina } = await import('piscina');
  const thread = programThread('./picture-thread', import.meta.url);
  return new Piscina<string, Uint8Array>({
    filename: fileURLToPath(thread.file),
    name: 'toPng',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    niceIncrement: NICE,
    // Between images, the thread must run its event loop to free their memory.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    ...thread.options,
  });
}

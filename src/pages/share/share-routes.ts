import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../core/errors.js';
import { SERVICE_TITLE, SERVICE_VERSION } from '../../core/version.js';
import { etagOf, isKnown } from '../../request/etag.js';
import { leftSignal } from '../../request/http.js';
import { ComputeError } from '../../request/pool.js';
import { sendProblem } from '../../request/problems.js';
import { BODY } from '../../screens/body/screen.js';
import { SCREENS } from '../../screens/index.js';
import type { Screen, ScreenNeeds } from '../../screens/shared/screen.js';
import { SharedWork } from '../../screens/shared/shared-work.js';
import { shareImagePath } from '../../site/paths.js';
import { type PageImage, PICTURE_TYPES } from '../../site/pictures/addresses.js';
import { queryOf } from '../../site/query.js';
import type { ShareContent } from '../../site/share-card.js';
import { PicturePool } from './picture-pool.js';

/** A kind of share image. */
interface SharedView {
  readonly path: string;
  /** The canonical form of a query. All addresses with the same image have the same form. */
  canonical(query: string): string;
  isOwn(query: string): boolean;
  /** @throws Problem of the API */
  contentOf(query: string, needs: ScreenNeeds, left: AbortSignal): Promise<ShareContent>;
}

/** The first page: the people of the Body screen. */
const HOME: SharedView = {
  path: shareImagePath('/'),
  canonical: () => '',
  isOwn: () => false,
  async contentOf(_, needs, left) {
    const content = await sharedScreen(BODY).contentOf('', needs, left);
    return { ...content, title: SERVICE_TITLE };
  },
};

/** All kinds of share images. */
const SHARED_VIEWS: readonly SharedView[] = [...SCREENS.map(sharedScreen), HOME];

function sharedScreen<View, Data>({
  address,
  isOwn,
  dataOf,
  shared,
}: Pick<Screen<View, Data>, 'address' | 'isOwn' | 'dataOf' | 'shared'>): SharedView {
  return {
    path: shareImagePath(address.path),
    canonical: (query) => address.query(address.read(query)),
    isOwn: (query) => isOwn?.(address.read(query)) ?? false,
    async contentOf(query, needs, left) {
      const view = address.read(query);
      return shared(view, await dataOf(view, needs, left), needs, left);
    },
  };
}

/** Maximum size of cached images in bytes. About 300 images fit. */
const CACHE_BYTES = 4 * 1024 * 1024;
/** Longest time for the numbers of an image. */
const DATA_MS = 20_000;
/** How often an image waits for a busy service, and how long. */
const WAITS = 4;
const WAIT_MS = 1500;
const DAY_SECONDS = 24 * 3600;

/**
 * Registers the share images of the first page and of the screens. They are PNG files that show a view, and
 * they are free. An image that is not in the cache counts against the limits of its address.
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

  /** The pictures of people as PNG; undefined if the library for pixels is missing. */
  async function imagesOf(
    people: readonly PageImage[],
    left: AbortSignal,
  ): Promise<string[] | undefined> {
    const images: string[] = [];
    for (const { href } of people) {
      const found = free.addresses.at(href);
      if (found === undefined) continue;
      const { type, base64 } = await free.picture(found.picture, 'png', undefined, left);
      if (type !== PICTURE_TYPES.png) return undefined;
      images.push(`data:${type};base64,${base64}`);
    }
    return images;
  }

  /** The content of an image. Pages ask for several images at once, so one waits while the others are computed. */
  async function contentOf(view: SharedView, query: string, left: AbortSignal) {
    for (let waits = WAITS; ; waits--) {
      try {
        return await view.contentOf(query, needs, left);
      } catch (error) {
        const isBusy = error instanceof Problem && error.code === 'service_busy';
        if (!isBusy || waits === 0 || left.aborted) throw error;
        await setTimeout(WAIT_MS);
      }
    }
  }

  async function made(
    key: string,
    view: SharedView,
    query: string,
    allLeft: AbortSignal,
  ): Promise<Buffer> {
    const draw = async () => {
      const { sharedPeople, shareSvg } = await import('../../site/share-card.js');
      const left = AbortSignal.any([allLeft, AbortSignal.timeout(DATA_MS)]);
      const content = await contentOf(view, query, left);
      const images = await imagesOf(sharedPeople(content), allLeft);
      return shareSvg(content, new URL(publicUrl()).host, images);
    };
    const png = await pictures.png(draw).catch((error: unknown) => {
      if (!(error instanceof ComputeError)) throw error;
      throw new Problem('service_busy', 'Too many images are being made. Please try again soon.');
    });
    cache.set(key, png);
    return png;
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    view: SharedView,
  ): Promise<FastifyReply> {
    const query = view.canonical(queryOf(request));
    const key = [SERVICE_VERSION, model().artifactVersion, view.path, query].join(' ');
    reply
      .header(
        'cache-control',
        `${view.isOwn(query) ? 'private' : 'public'}, max-age=${DAY_SECONDS}`,
      )
      // Pages of other sites may show the image.
      .header('cross-origin-resource-policy', 'cross-origin');
    if (isKnown(request, reply, etagOf(key))) return reply.code(304).send();
    const kept = cache.get(key);
    if (kept !== undefined) return reply.type('image/png').send(kept);
    const exceeded = await free.count(request);
    if (exceeded !== undefined) {
      reply.header('retry-after', String(exceeded.retryAfterSeconds));
      return refuse(reply, exceeded.problem);
    }
    try {
      const make = (allLeft: AbortSignal) => made(key, view, query, allLeft);
      const png = await inMaking.resultOf(key, make, leftSignal(reply));
      return reply.type('image/png').send(png);
    } catch (error) {
      if (error instanceof Problem) return refuse(reply, error);
      throw error;
    }
  }

  for (const view of SHARED_VIEWS) {
    app.get(view.path, (request, reply) => send(request, reply, view));
  }
}

function refuse(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.removeHeader('etag').header('cache-control', 'no-store');
  return sendProblem(reply, problem);
}

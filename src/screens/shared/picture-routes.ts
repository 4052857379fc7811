import type { FastifyInstance } from 'fastify';
import { BUSY_RETRY_SECONDS, Problem } from '../../core/errors.js';
import { leftSignal } from '../../request/http.js';
import { sendProblem } from '../../request/problems.js';
import { PEOPLE_PATH } from '../../site/paths.js';
import { PICTURE_TYPES } from '../../site/pictures/addresses.js';
import type { ScreenNeeds } from './screen.js';
import { sendCompressed } from './screen-routes.js';
import { addressLimits, admit } from './visitor-limits.js';

/** How many new pictures an address may ask for. A page of two populations asks for twelve files, and a turn of the people of Reach for 36. */
const LIMITS = {
  perMinute: 120,
  perDay: 3000,
  allowed: (max: number) => `ask for at most ${max} new pictures`,
} as const;

const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * Registers the pictures of people. They never change, so caches keep them. A picture with the user's own person is
 * kept by the user's browser alone. A picture that is not in the store counts against the limits of its address.
 */
export function pictureRoutes(app: FastifyInstance, { free }: ScreenNeeds): void {
  const count = addressLimits(app, LIMITS);
  app.get(`${PEOPLE_PATH}*`, async (request, reply) => {
    const { '*': file } = request.params as { '*': string };
    const found = free.addresses.at(`${PEOPLE_PATH}${file}`);
    if (found === undefined) {
      const message = `No page shows the picture ${PEOPLE_PATH}${file.slice(0, 40)}…. Load the page again.`;
      return sendProblem(reply, new Problem('model_not_found', message));
    }
    const { picture, form, isOfThisVersion } = found;
    try {
      const isAdmitted = () => admit(count, request, reply);
      const made = await free.picture(picture, form, isAdmitted, leftSignal(reply));
      const whose = 'isOwn' in picture && picture.isOwn === true ? 'private' : 'public';
      // A silhouette in place of pixels must not outlive the fault that caused it, nor this version's picture a page of
      // another one, whose node is right.
      const isWhole = made.type === PICTURE_TYPES[form] && isOfThisVersion;
      reply
        .header(
          'cache-control',
          isWhole ? `${whose}, max-age=${YEAR_SECONDS}, immutable` : 'no-store',
        )
        .header('cross-origin-resource-policy', 'cross-origin');
      const bytes = Buffer.from(made.base64, 'base64');
      // Pixels are compressed already; a document of lines is a text.
      return /svg|json/.test(made.type)
        ? sendCompressed(request, reply, bytes, { type: made.type })
        : reply.type(made.type).send(bytes);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'service_busy') reply.header('retry-after', String(BUSY_RETRY_SECONDS));
      return sendProblem(reply.header('cache-control', 'no-store'), error);
    }
  });
}

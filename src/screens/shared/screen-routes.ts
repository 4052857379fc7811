import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BUSY_RETRY_SECONDS, nothingIfRefused, Problem, problemBody } from '../../core/errors.js';
import { leftSignal } from '../../request/http.js';
import { sendProblem } from '../../request/problems.js';
import { populationInWords } from '../../search/population-words.js';
import { seemsSignedIn } from '../../site/headers.js';
import { queryOf } from '../../site/query.js';
import { withTexts } from './address-fields.js';
import type { ScreenProblem } from './data-types.js';
import { plainProblem } from './plain-words.js';
import { populationText } from './populations.js';
import type { FirstData, Screen, ScreenNeeds } from './screen.js';
import { addressLimits } from './visitor-limits.js';

type Outcome<Data> =
  | { readonly data: Data }
  | {
      readonly problem: Problem;
      readonly retryAfterSeconds?: number;
      readonly drawn?: object | undefined;
    };

/** Registers a screen: its page with the data of the first view, and the data of later views. */
export function screenRoutes<View, Data>(
  app: FastifyInstance,
  screen: Screen<View, Data>,
  needs: ScreenNeeds,
): void {
  const { address, limits } = screen;
  const { path } = address;
  const count = limits === undefined ? needs.free.count : addressLimits(app, limits);

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    view: View,
    exceeded: Awaited<ReturnType<typeof count>>,
  ): Promise<Outcome<Data>> {
    if (exceeded !== undefined) return exceeded;
    const page = await screen.page();
    const left = leftSignal(reply);
    try {
      // Everything that a visitor typed is in the query.
      if (queryOf(request) === '') needs.free.keepOnDisk(left);
      return { data: await page.dataOf(view, needs, left) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const problem = plainProblem(error);
      if (error.code === 'service_busy') return { problem, retryAfterSeconds: BUSY_RETRY_SECONDS };
      return { problem, drawn: await page.drawnOf?.(view, needs, left).catch(nothingIfRefused) };
    } finally {
      if (limits === undefined) await needs.free.spend(request, left);
    }
  }

  app.get(`${path}/data`, async (request, reply) => {
    const view = address.read(queryOf(request));
    const outcome = await answer(request, reply, view, await count(request));
    reply.header('cache-control', 'no-store');
    if ('data' in outcome) {
      const json = JSON.stringify(outcome.data);
      return sendCompressed(request, reply, json, { type: 'application/json; charset=utf-8' });
    }
    setWait(reply, outcome.retryAfterSeconds);
    return sendProblem(reply, outcome.problem, { drawn: outcome.drawn });
  });

  app.get(path, async (request, reply) => {
    const query = queryOf(request);
    const exceeded = await count(request);
    // Reading words takes a few milliseconds, so it needs the permission, too.
    if (exceeded === undefined && hasWords(query)) {
      const read = withReadPopulations(query);
      if (read !== undefined) return reply.redirect(`${path}?${read}`, 302);
    }
    const notices: string[] = [];
    const view = address.read(query, (notice) => notices.push(notice));
    const outcome = await answer(request, reply, view, exceeded);
    const html = async (first: FirstData<Data>) => {
      const { screenHtml } = await import('./screen-page.js');
      const [signedIn, origin] = [seemsSignedIn(request), needs.publicUrl()];
      return screenHtml(screen, await screen.page(), {
        ...{ view, notices, first, signedIn, origin },
      });
    };
    reply.header('cache-control', 'private, no-cache');
    if ('data' in outcome) {
      return sendCompressed(request, reply, await html({ data: outcome.data }));
    }
    const { problem, retryAfterSeconds, drawn } = outcome;
    setWait(reply, retryAfterSeconds);
    const body = problemBody(problem, request.id) as unknown as ScreenProblem;
    const waits = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    const refused = { ...body, ...waits, ...(drawn === undefined ? {} : { drawn }) };
    const refusal = await html({ problem: refused });
    return sendCompressed(request, reply, refusal, { status: problem.status });
  });
}

function setWait(reply: FastifyReply, retryAfterSeconds: number | undefined): void {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** Brotli quality. At this quality, a page takes a few milliseconds. */
const QUALITY = 5;

/**
 * Sends a page, its data or its lines, compressed if the browser can read that. They contain no secrets. A page with
 * secrets must not be compressed together with text from its address, because the compressed length would
 * reveal the secrets.
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string | Buffer,
  { status = 200, type = 'text/html; charset=utf-8' }: { status?: number; type?: string } = {},
): Promise<FastifyReply> {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  reply.code(status).type(type).header('vary', 'accept-encoding');
  if (/\bbr\b/.test(accepted)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
    return reply.header('content-encoding', 'br').send(await brotli(text, { params }));
  }
  if (/\bgzip\b/.test(accepted)) {
    return reply.header('content-encoding', 'gzip').send(await gzipped(text));
  }
  return reply.send(text);
}

/** Whether a query may have a population in words. */
export function hasWords(query: string): boolean {
  return /(?:^|&)p=(?![^&]*(?:~|%7e))[^&]/i.test(query);
}

/**
 * The query in which populations that somebody wrote in words, such as `p=Germany women`, are in the form of addresses;
 * undefined if there are none. The words are read here, so that pages need not load the names of all countries.
 */
export function withReadPopulations(query: string): string | undefined {
  let left = WORDED_MAX;
  return withTexts(query, 'p', (text) => {
    if (text.includes('~') || text.length > CHARS_MAX || left <= 0) return undefined;
    left -= 1;
    const found = populationInWords(text);
    if ('fault' in found || found.countries === undefined) return undefined;
    const { gender, countries, clothing, ages: [ageMin, ageMax] = ADULTS } = found;
    return populationText({
      gender,
      countries,
      ageMin,
      ageMax,
      ...(clothing === undefined ? {} : { clothing }),
    });
  });
}

/** Most populations that are read in words, and the longest of their texts. Longer texts take too long. */
const [WORDED_MAX, CHARS_MAX] = [6, 60];
/** Ages of people whose text names none. */
const ADULTS = [18, 65] as const;

import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type KeyIdentity, RATE_WINDOW_SECONDS, type RateState } from '../core/billing-terms.js';
import { BoundedMap } from '../core/bounded-map.js';
import { Problem } from '../core/errors.js';
import { BODY_BYTES_MAX } from '../core/limits.js';
import { networkOf } from '../core/network.js';
import { refuseRepeatedKeysOf } from '../core/repeated-keys.js';
import type { Caller } from './caller.js';
import type { Meter } from './meter.js';
import { sendProblem } from './problems.js';
import { type MeteredRefusal, unauthorized } from './refusals.js';

// What REST and MCP share about a metered request: its id, its host, its caller, its body, and the headers
// of its answer. All other routes have ids and hosts too.

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends the request; set on authenticated routes before the body is read. */
    caller: Caller | null;
  }
}

/** Digits of a millisecond count in base 36; nine last until the year 5188. */
const TIME_CHARS = 9;
const COUNTER_CHARS = 4;
const COUNTER_END = 36 ** COUNTER_CHARS;
/** Random bytes that distinguish this process from all others. */
const TAG_BYTES = 8;

/**
 * Creates a function that makes request ids. They sort by time. A random tag makes them unique
 * across processes, a counter within one. Clients cannot set the id, because it is the cause of a
 * ledger entry.
 */
export function requestIdMaker(now: () => number = Date.now): () => string {
  const tag = randomBytes(TAG_BYTES).toString('hex');
  let counter = 0;
  let atMs = 0;
  let time = '';
  return () => {
    const nowMs = now();
    if (nowMs !== atMs) {
      atMs = nowMs;
      time = `req_${nowMs.toString(36).padStart(TIME_CHARS, '0')}`;
    }
    counter = (counter + 1) % COUNTER_END;
    return time + counter.toString(36).padStart(COUNTER_CHARS, '0') + tag;
  };
}

const SLASH = '/'.charCodeAt(0);
const HOST = 'host';

/**
 * Refuses requests whose host is ambiguous (RFC 9112, 3.2): without a `Host` header in HTTP/1.1, or
 * with several. Otherwise a proxy and the service could disagree about the host. The host of an
 * absolute request target (`GET http://host/path`) replaces that of the header (RFC 9112, 3.2.2).
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const fault = hostFault(request);
    if (fault === undefined) done();
    else sendProblem(reply, new Problem('validation_error', fault, { status: 400 }));
  });
}

function hostFault({ raw }: FastifyRequest): string | undefined {
  const { headers, rawHeaders, url = '/' } = raw;
  if (headers.host === undefined) {
    return raw.httpVersion === '1.0' ? undefined : 'The Host header is missing.';
  }
  if (countHosts(rawHeaders) > 1) return 'There is more than one Host header.';
  if (url.charCodeAt(0) !== SLASH && URL.canParse(url)) headers.host = new URL(url).host;
  return undefined;
}

/** Node keeps only the first of several `Host` headers, except in the raw list of names and values. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    // The length is compared first, because this runs for each header of each request.
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  return count;
}

/** What authentication needs. */
export interface AuthenticationParts {
  readonly meter: Pick<Meter, 'admit' | 'enter'>;
  /** What the gate needs to know of an API key; undefined if it is not well-formed. */
  readonly identifyKey: (key: string) => KeyIdentity | undefined;
}

/**
 * Refuses the requests of a scope that have no valid API key, and those from networks that have sent too
 * many unknown keys, before their body is read. A key that is revoked at this moment may pass; the
 * charging step refuses it.
 *
 * @param takesKey whether the `Idempotency-Key` header counts
 */
export function authenticate(
  app: FastifyInstance,
  { meter, identifyKey }: AuthenticationParts,
  takesKey: boolean,
): void {
  const keyOf = keyFinder(identifyKey);
  const networks = new BoundedMap<string, string>(REMEMBERED_MAX);
  const networkOfAddress = (address: string): string => {
    const known = networks.get(address);
    if (known !== undefined) return known;
    const network = networkOf(address);
    networks.set(address, network);
    return network;
  };
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, reply, done) => {
    const key = keyOf(request.headers.authorization);
    if (key === undefined) {
      sendProblem(reply, unauthorized());
      return;
    }
    const idempotencyKey = takesKey
      ? (request.headers['idempotency-key'] as string | undefined)
      : undefined;
    const { keyHash, partition } = key;
    const network = networkOfAddress(request.ip);
    const caller = { keyHash, partition, network, requestId: request.id, idempotencyKey, hits: 1 };
    const admit = (refusal: MeteredRefusal | undefined): void => {
      if (refusal !== undefined) {
        sendRefusal(reply, refusal);
        return;
      }
      request.caller = caller;
      if (!hasLargeBody(request)) {
        done();
        return;
      }
      meter.enter(caller).then((body) => {
        if ('kind' in body) return sendRefusal(reply, body);
        request.caller = { ...caller, hits: 0, body };
        if (reply.raw.destroyed) body.close();
        reply.raw.once('close', () => body.close());
        return done();
      }, done);
    };
    const refusal = meter.admit(caller);
    if (refusal instanceof Promise) refusal.then(admit, done);
    else admit(refusal);
  });
}

/** The caller that `authenticate` found. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('a metered route ran before authentication');
  return request.caller;
}

/** A signal that is aborted when the client hangs up before its answer is sent. */
export function leftSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  if (raw.destroyed) left.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
}

/** Keys remembered by their header, and networks by their addresses. */
const REMEMBERED_MAX = 1000;

/**
 * Finds the key in an `Authorization` header. It remembers well-formed ones, because parsing and
 * hashing cost a tenth of a request.
 */
function keyFinder(
  identifyKey: (key: string) => KeyIdentity | undefined,
): (header: string | undefined) => KeyIdentity | undefined {
  const remembered = new BoundedMap<string, KeyIdentity>(REMEMBERED_MAX);
  return (header) => {
    if (header === undefined) return undefined;
    const known = remembered.get(header);
    if (known !== undefined) return known;
    const key = bearerToken(header);
    const identity = key === undefined ? undefined : identifyKey(key);
    if (identity !== undefined) remembered.set(header, identity);
    return identity;
  };
}

const BEARER = /^bearer +([\w.~+/-]+=*) *$/i;
/** Far longer than any key; the expression is not run on longer headers. */
const LONGEST_HEADER = 512;

/**
 * The credentials of an `Authorization: Bearer …` header (RFC 6750, 2.1), or undefined for another
 * kind of header. The scheme's case does not matter (RFC 9110, 11.1).
 */
function bearerToken(header: string): string | undefined {
  return header.length > LONGEST_HEADER ? undefined : BEARER.exec(header)?.[1];
}

/** Sets `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateHeaders(reply: FastifyReply, rate: RateState): void {
  reply
    .header('ratelimit-policy', policyOf(rate.limit))
    .header('ratelimit', `"default";r=${rate.remaining};t=${rate.resetSeconds}`);
}

// All keys have the same limit, so the text is made once and not for every answer.
let policy: readonly [limit: number, text: string] = [0, ''];

function policyOf(limit: number): string {
  if (policy[0] !== limit) policy = [limit, `"default";q=${limit};w=${RATE_WINDOW_SECONDS}`];
  return policy[1];
}

/** Sends a refusal of the metered path with its headers. */
export function sendRefusal(reply: FastifyReply, refusal: MeteredRefusal): FastifyReply {
  if (refusal.rate !== undefined) rateHeaders(reply, refusal.rate);
  if (refusal.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(refusal.retryAfterSeconds));
  }
  return sendProblem(reply, refusal.problem);
}

/**
 * Whether a body may be large: its length is unknown, or over the usual limit. One over the limit of its
 * route is refused by its length alone.
 */
function hasLargeBody({ headers, routeOptions }: FastifyRequest): boolean {
  const { bodyLimit = BODY_BYTES_MAX } = routeOptions;
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (bodyLimit <= BODY_BYTES_MAX) return false;
  if (length === undefined) return encoding !== undefined;
  return Number(length) > BODY_BYTES_MAX && Number(length) <= bodyLimit;
}

/** Reads the JSON bodies of a scope, large ones in pieces. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      const large = request.caller?.body;
      if (large === undefined) {
        return parse(request, text, (error, value) => {
          if (error !== null) return done(error);
          try {
            refuseRepeatedKeysOf(value, text);
          } catch (fault) {
            return done(fault as Error);
          }
          return done(null, value);
        });
      }
      const parseOne = (part: string): unknown => {
        let [fault, value]: [Error | null, unknown] = [null, undefined];
        // It calls back before it returns.
        parse(request, part, (error, found) => {
          [fault, value] = [error, found];
        });
        if (fault !== null) throw fault;
        return value;
      };
      large.read(text, parseOne).then((body) => done(null, body), done);
    },
  );
}

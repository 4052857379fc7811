import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type KeyIdentity, RATE_WINDOW_SECONDS, type RateState } from '../core/billing-terms.js';
import { BoundedMap } from '../core/bounded-map.js';
import { Problem } from '../core/errors.js';
import { parseBody } from '../core/json-text.js';
import { BODY_BYTES_MAX } from '../core/limits.js';
import { networkOf } from '../core/network.js';
import type { Caller } from './caller.js';
import type { Meter } from './meter.js';
import { sendProblem } from './problems.js';
import { type MeteredRefusal, unauthorized } from './refusals.js';

// Common parts of a metered request over REST and MCP: its id, its host, its caller, its body, and the headers
// of its answer. All other routes have ids and hosts too.

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a body over `BODY_BYTES_MAX` is counted before it is received, and read by a thread. */
    takesLargeBodies?: boolean;
  }
  interface FastifyRequest {
    /** The sender of the request; set on authenticated routes before the body is read. */
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
export function requestIdMaker(): () => string {
  const tag = randomBytes(TAG_BYTES).toString('hex');
  let counter = 0;
  let atMs = 0;
  let time = '';
  return () => {
    const nowMs = Date.now();
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

/**
 * Refuses encoded bodies (`Content-Encoding`), before the key is looked at. No route decodes a body: a small compressed
 * body can become a very large one.
 */
export function requirePlainBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const encoding = request.headers['content-encoding'];
    const coding = encoding === undefined || request.is404 ? undefined : codingIn(encoding);
    if (coding === undefined) done();
    else {
      const message = `The body has the Content-Encoding ${coding}; send it without one.`;
      sendProblem(reply, new Problem('unsupported_media_type', message));
    }
  });
}

/** The first coding of a list, except `identity`, which means none (RFC 9110, 8.4.1). */
function codingIn(encoding: string): string | undefined {
  const codings = encoding.split(',').map((coding) => coding.trim());
  return codings.find((coding) => !/^(?:identity)?$/i.test(coding))?.slice(0, 100);
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

/** Dependencies of authentication. */
export interface AuthenticationParts {
  readonly meter: Meter;
  /** Data about an API key for the gate; undefined if the key is not well-formed. */
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
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { authorization } = request.headers;
    const key = keyOf(authorization);
    if (key === undefined) {
      if (authorization === undefined) sendProblem(reply, unauthorized());
      else sendRefusal(reply, meter.charging.refuseMalformed(request.ip));
      return;
    }
    const idempotencyKey = takesKey
      ? (request.headers['idempotency-key'] as string | undefined)
      : undefined;
    const { keyHash, partition } = key;
    const address = request.ip;
    const caller = { keyHash, partition, address, requestId: request.id, idempotencyKey, hits: 1 };
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
      meter.bodies.enter(caller).then((body) => {
        if ('kind' in body) return sendRefusal(reply, body);
        request.caller = { ...caller, hits: 0, body };
        if (reply.raw.destroyed) body.close();
        reply.raw.once('close', () => body.close());
        return done();
      }, done);
    };
    const refusal = meter.charging.admit(caller);
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

/** Keys remembered by their headers. */
const REMEMBERED_MAX = 1000;

/**
 * Finds the key in an `Authorization` header. It remembers well-formed headers, because parsing and
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
 * Whether a body may be large: its length is unknown, or over the usual limit. A body over the
 * limit of its route is refused because of its length.
 */
function hasLargeBody({ headers, routeOptions }: FastifyRequest): boolean {
  const { bodyLimit = BODY_BYTES_MAX, config } = routeOptions;
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (bodyLimit <= BODY_BYTES_MAX || config.takesLargeBodies !== true) return false;
  if (length === undefined) return encoding !== undefined;
  return Number(length) > BODY_BYTES_MAX && Number(length) <= bodyLimit;
}

/**
 * Reads the JSON bodies of a scope.
 *
 * @param readLarge reads the text of a large body without holding the event loop
 */
export function readJsonBodies(
  app: FastifyInstance,
  readLarge: (text: string, request: FastifyRequest) => Promise<unknown>,
): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      try {
        const isLarge = request.caller?.body !== undefined && text.length > BODY_BYTES_MAX;
        if (!isLarge) done(null, parseBody(text));
        else readLarge(text, request).then((body) => done(null, body), done);
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** How slowly a client may read its answers. */
export interface ReaderLimits {
  /** Maximum time in which a client may take none of the bytes that wait for it. */
  readonly silenceMs: number;
  /** A client must take `paceBytes` in this time, as long as bytes wait for it. */
  readonly paceMs: number;
  readonly paceBytes: number;
}

/**
 * Why a connection was closed, or a request refused. `connections`: too many of one address; `answers`: too many under
 * way to one address behind a proxy; `pipelined`: too many requests in advance on one connection; `unread`: the client
 * did not read its answer.
 */
export type ConnectionLimit = 'connections' | 'answers' | 'pipelined' | 'unread';

/** Dependencies of the limits. */
export interface ConnectionParts {
  /** Whether requests come through a proxy, which has one address for all clients. */
  readonly isBehindProxy: boolean;
  readonly limits?: ReaderLimits | undefined;
  /** Is told each time a limit is reached, for metrics. */
  readonly observer?: ((limit: ConnectionLimit) => void) | undefined;
}

const LIMITS: ReaderLimits = { silenceMs: 30_000, paceMs: 120_000, paceBytes: 256 * 1024 };
const CHECK_MS = 1000;
/**
 * Connections of an address (IPv6: of a /64), or answers under way to it behind a proxy. Only busy ones count: an idle
 * connection gives its place to a new one. So it is enough for an office whose browsers open six each, and for load
 * tests. Each may hold one answer of some hundred kB in memory.
 */
export const CONNECTIONS_MAX = 512;
/** Requests under way on one connection. They are answered one after the other. */
export const PIPELINED_MAX = 32;

/** A connection of a client. */
interface Connection {
  readonly socket: Socket;
  readonly network: string;
  /** Requests whose answers the client has not got. */
  underWay: number;
  /** Begins the requests that wait for the answers before them. */
  readonly waiting: (() => void)[];
  hasAsked: boolean;
  /** Bytes that had been received when the last answer was taken. */
  answeredBytes: number;
  /** When the pace was measured last, and the bytes that the client had taken then. */
  sinceMs: number;
  takenBytes: number;
}

/**
 * Bounds what clients can hold, on all routes: connections of an address, answers of a connection, and the time for
 * which an answer waits for a client that does not read it. Such an answer stays in memory, and a long one keeps its
 * place. While nothing waits for the client, the service computes, and the client is not slow.
 */
export function boundConnections(app: FastifyInstance, parts: ConnectionParts): void {
  const { isBehindProxy, limits = LIMITS, observer = () => undefined } = parts;
  const connections = new Connections(isBehindProxy ? Infinity : CONNECTIONS_MAX, observer);
  const server = app.server as Server;
  server.on('connection', (socket) => connections.add(socket));
  // Node also closes connections whose answer is made but not sent: the client would lose up to some MB of it.
  server.closeIdleConnections = () => connections.closeIdle();
  // Node counts each byte that the system takes as progress, and looks once at the end of each such time.
  server.setTimeout(limits.silenceMs / 2, (socket) => connections.silent(socket));
  const pace = setInterval(
    () => connections.closeSlow(limits),
    Math.min(CHECK_MS, limits.paceMs / 4),
  ).unref();
  app.addHook('onClose', (_, done) => {
    clearInterval(pace);
    done();
  });
  app.addHook('onRequest', (request, reply, done) => connections.begin(request, reply, done));
  if (isBehindProxy) boundAnswers(app, observer);
}

/** Refuses requests of a client whose address has too many answers under way. */
function boundAnswers(app: FastifyInstance, observer: (limit: ConnectionLimit) => void): void {
  const underWay = new Map<string, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const network = networkOf(request.ip);
    const count = underWay.get(network) ?? 0;
    if (count >= CONNECTIONS_MAX) {
      observer('answers');
      sendProblem(reply.header('retry-after', '1'), new Problem('rate_limited', TOO_MANY_ANSWERS));
      return;
    }
    underWay.set(network, count + 1);
    reply.raw.once('close', () => {
      const left = (underWay.get(network) ?? 1) - 1;
      if (left > 0) underWay.set(network, left);
      else underWay.delete(network);
    });
    done();
  });
}

const TOO_MANY_ANSWERS = `This address waits for ${CONNECTIONS_MAX} answers, which is the limit. Read them, then ask again.`;

class Connections {
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #byNetwork = new Map<string, Set<Connection>>();

  constructor(
    private readonly max: number,
    private readonly observer: (limit: ConnectionLimit) => void,
  ) {}

  /** Takes a new connection, or closes it when its address has too many that are busy. */
  add(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '');
    const others = this.#byNetwork.get(network) ?? new Set();
    if (others.size >= this.max) {
      // The connection that was opened first is the most likely to be unused.
      const idle = [...others].find(({ underWay, hasAsked }) => underWay === 0 && hasAsked);
      if (idle === undefined) {
        this.observer('connections');
        socket.destroy();
        return;
      }
      this.#drop(idle);
      idle.socket.destroy();
    }
    const sinceMs = performance.now();
    const connection: Connection = {
      ...{
        socket,
        network,
        underWay: 0,
        waiting: [],
        hasAsked: false,
        answeredBytes: 0,
        sinceMs,
        takenBytes: 0,
      },
    };
    this.#bySocket.set(socket, connection);
    this.#byNetwork.set(network, others.add(connection));
    socket.once('close', () => this.#drop(connection));
  }

  /** Begins a request when the answers before it on its connection have been taken. */
  begin({ raw }: FastifyRequest, reply: FastifyReply, begin: () => void): void {
    const connection = this.#bySocket.get(raw.socket);
    if (connection === undefined) {
      begin();
      return;
    }
    connection.hasAsked = true;
    connection.underWay += 1;
    if (connection.underWay > PIPELINED_MAX) {
      this.#close(connection, 'pipelined');
      return;
    }
    reply.raw.once('close', () => {
      connection.underWay -= 1;
      connection.answeredBytes = connection.socket.bytesRead;
      if (connection.socket.writable) connection.waiting.shift()?.();
    });
    if (connection.underWay > 1) connection.waiting.push(begin);
    else begin();
  }

  /** Nothing was sent or received for a while. */
  silent(socket: Socket): void {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined) socket.destroy();
    else if (socket.writableLength > 0) this.#close(connection, 'unread');
    // The connection was kept open for another request. A first request has a time limit of its own.
    else if (connection.underWay === 0 && connection.hasAsked) socket.destroy();
  }

  /** Closes the connections between two requests. */
  closeIdle(): void {
    for (const { socket, underWay, hasAsked, answeredBytes } of this.#bySocket.values()) {
      if (underWay === 0 && hasAsked && socket.bytesRead === answeredBytes) socket.destroy();
    }
  }

  closeSlow({ paceMs, paceBytes }: ReaderLimits): void {
    const nowMs = performance.now();
    for (const connection of this.#bySocket.values()) {
      const { bytesWritten, writableLength } = connection.socket;
      const takenBytes = bytesWritten - writableLength;
      if (writableLength === 0 || takenBytes >= connection.takenBytes + paceBytes) {
        connection.sinceMs = nowMs;
        connection.takenBytes = takenBytes;
      } else if (nowMs > connection.sinceMs + paceMs) this.#close(connection, 'unread');
    }
  }

  #close(connection: Connection, limit: ConnectionLimit): void {
    if (connection.socket.destroyed) return;
    this.observer(limit);
    // After an ordinary end, the system keeps what the client has not read, up to some MB for each connection.
    connection.socket.resetAndDestroy();
  }

  #drop(connection: Connection): void {
    const { socket, network } = connection;
    this.#bySocket.delete(socket);
    connection.waiting.length = 0;
    const others = this.#byNetwork.get(network);
    others?.delete(connection);
    if (others?.size === 0) this.#byNetwork.delete(network);
  }
}

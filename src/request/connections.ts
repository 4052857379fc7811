import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BoundedMap } from '../core/bounded-map.js';
import { Problem } from '../core/errors.js';
import { networkOf } from '../core/network.js';
import { sendProblem } from './problems.js';

/** How slowly a client may read its answers. */
export interface ReaderLimits {
  /** Longest time in which it takes nothing of what waits for it. */
  readonly silenceMs: number;
  /** It takes `paceBytes` in this time, as long as something waits for it. */
  readonly paceMs: number;
  readonly paceBytes: number;
}

/**
 * Why a connection was closed, or a request refused. `connections`: too many of one address; `answers`: too many under
 * way to one address behind a proxy; `pipelined`: too many requests in advance on one connection; `unread`: the client
 * did not read its answer.
 */
export type ConnectionLimit = 'connections' | 'answers' | 'pipelined' | 'unread';

/** What the limits need. */
export interface ConnectionParts {
  /** Whether requests come through a proxy, which has one address for all clients. */
  readonly isBehindProxy: boolean;
  readonly limits?: ReaderLimits | undefined;
  /** Is told of each limit that was met, for metrics. */
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
/** Addresses whose networks are remembered. */
const REMEMBERED_MAX = 1000;

/** A connection of a client. */
interface Connection {
  readonly socket: Socket;
  readonly network: string;
  /** Requests whose answers the client has not got. */
  underWay: number;
  /** Begins the requests that wait for the answers before them. */
  readonly waiting: (() => void)[];
  hasAsked: boolean;
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
  const networks = new BoundedMap<string, string>(REMEMBERED_MAX);
  app.addHook('onRequest', (request, reply, done) => {
    const network = networks.get(request.ip) ?? networkOf(request.ip);
    networks.set(request.ip, network);
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
      // The one that was opened first has most likely been left.
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
      ...{ socket, network, underWay: 0, waiting: [], hasAsked: false, sinceMs, takenBytes: 0 },
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
    // It was kept open for another request. A first request has a limit of its own.
    else if (connection.underWay === 0 && connection.hasAsked) socket.destroy();
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

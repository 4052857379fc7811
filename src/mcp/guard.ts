import { isIP } from 'node:net';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BoundedMap } from '../core/bounded-map.js';
import { allowOrigin, allowRequests } from '../request/cors.js';
import { sendRpcError } from './messages.js';

/** Hosts and sites that may call the endpoint, in addition to programs on this machine. */
export interface GuardOptions {
  /** Host names of this service; `*` for any. */
  readonly allowedHosts: readonly string[];
  /** Host names of the sites whose pages may call the endpoint from a browser; `*` for any. */
  readonly allowedOrigins: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests for unknown hosts and from pages of unknown sites. Otherwise a web page could reach a service in its
 * reader's network (DNS rebinding). Pages of known sites get the headers that let them read the answer.
 */
export function guard(app: FastifyInstance, options: GuardOptions): void {
  const hostFault = hostJudge(options.allowedHosts);
  const origins = [...LOOPBACK, ...options.allowedOrigins];
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('vary', 'Origin');
    const fault = hostFault(request.headers.host) ?? originFault(request, origins);
    if (fault !== undefined) {
      sendRpcError(reply, 403, { code: -32_000, message: fault });
      return;
    }
    if (request.headers.origin !== undefined) allowOrigin(reply, request.headers.origin);
    done();
  });
}

/** Number of allowed hosts that are remembered. Checking a host takes a twentieth of the time of a call. */
const REMEMBERED_MAX = 1000;

function hostJudge(allowed: readonly string[]): (host: string | undefined) => string | undefined {
  const hosts = [...LOOPBACK, ...allowed];
  const sound = new BoundedMap<string | undefined, true>(REMEMBERED_MAX);
  return (host) => {
    if (sound.has(host) || hosts.includes('*')) return undefined;
    const result = validateHostHeader(host, hosts);
    // DNS rebinding needs a host name. An address cannot be rebound.
    if (!result.ok && !isAddress(result.hostname)) {
      return `${result.message}. The operator lists the names of this service in MCP_ALLOWED_HOSTS.`;
    }
    sound.set(host, true);
    return undefined;
  };
}

function isAddress(hostname: string | undefined): boolean {
  return hostname !== undefined && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function originFault({ headers }: FastifyRequest, origins: readonly string[]): string | undefined {
  if (origins.includes('*')) return undefined;
  const result = validateOriginHeader(headers.origin, [...origins]);
  if (result.ok) return undefined;
  return `${result.message}. The operator lists the sites that may call in MCP_ALLOWED_ORIGINS.`;
}

/** Answers a browser's preflight request, which comes without a key. */
export function preflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  allowRequests(request, reply, 'GET, POST');
  return reply.code(204).send();
}

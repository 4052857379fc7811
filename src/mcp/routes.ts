import { Readable } from 'node:stream';
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KeyIdentity } from '../core/billing-terms.js';
import { internalError, Problem, problemBody } from '../core/errors.js';
import { BodyRefused } from '../request/caller.js';
import type { FaultLog } from '../request/charging.js';
import {
  authenticate,
  callerOf,
  leftSignal,
  rateHeaders,
  readJsonBodies,
  sendRefusal,
} from '../request/http.js';
import type { Meter } from '../request/meter.js';
import { bodyTooLarge, problemOfError } from '../request/problems.js';
import type { McpEndpoint } from './endpoint.js';
import { Exchange } from './exchange.js';
import { type GuardOptions, guard, preflight } from './guard.js';
import { HttpRequest } from './http-request.js';
import {
  batchFault,
  bodyLimitOf,
  isPaidCall,
  MCP_BODY_BYTES_MAX,
  sendRpcError,
} from './messages.js';

/** Dependencies of the endpoint's routes. */
export interface McpRouteParts extends GuardOptions {
  readonly meter: Meter;
  /** Returns what the gate needs to know of an API key, or undefined if the key is not well-formed. */
  readonly identifyKey: (key: string) => KeyIdentity | undefined;
  readonly log: FaultLog;
  readonly endpoint: McpEndpoint;
}

/** Path of the endpoint (specification, 4.9). */
export const MCP_PATH = '/mcp';

/**
 * Registers the endpoint. The answer of the protocol is sent only after the charging step has admitted the request. 401
 * and 429 are plain HTTP answers that replace it.
 */
export async function mcpRoutes(app: FastifyInstance, parts: McpRouteParts): Promise<void> {
  const { meter, log } = parts;
  guard(app, parts);
  app.options(MCP_PATH, preflight);
  await app.register(async (scope) => {
    scope.removeContentTypeParser('text/plain');
    readJsonBodies(scope, (text, request) => meter.bodies.message(text, callerOf(request)));
    authenticate(scope, parts, false);
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof BodyRefused) return sendRefusal(reply, error.refusal);
      const problem = problemOfError(error, request.routeOptions.bodyLimit);
      if (problem.status >= 500) {
        log.error({ err: error, request_id: request.id }, 'the MCP route failed');
      }
      const code = problem.status === 400 ? PARSE_ERROR : INVALID_REQUEST;
      const exchange = new Exchange(meter, callerOf(request));
      return refuse(problem, exchange, reply, problem.status >= 500 ? INTERNAL_ERROR : code);
    });
    const route = { exposeHeadRoute: false, bodyLimit: MCP_BODY_BYTES_MAX };
    const handler = (request: FastifyRequest, reply: FastifyReply) => answer(request, reply, parts);
    // The endpoint opens no streams, so it refuses GET in the form of the protocol.
    scope.get(MCP_PATH, { ...route, config: { refuses: true } }, handler);
    scope.post(MCP_PATH, { ...route, config: { takesLargeBodies: true } }, handler);
  });
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { meter, endpoint, log }: McpRouteParts,
): Promise<FastifyReply> {
  const { body } = request;
  if (body === undefined && request.method === 'POST') {
    const exchange = new Exchange(meter, callerOf(request));
    const problem = new Problem('validation_error', 'The body is empty; send a JSON-RPC message.');
    return refuse(problem, exchange, reply, PARSE_ERROR);
  }
  const bytesMax = bodyLimitOf(body);
  if (bytesMax < MCP_BODY_BYTES_MAX && bytesOf(request) > bytesMax) {
    const exchange = new Exchange(meter, callerOf(request));
    return refuse(bodyTooLarge(bytesMax), exchange, reply, INVALID_REQUEST);
  }
  const fault = batchFault(body);
  const messages = fault === undefined && Array.isArray(body) ? Math.max(1, body.length) : 1;
  // `callerOf` knows whether a large body was counted before it was read.
  const hits = messages - 1 + callerOf(request).hits;
  const left = () => leftSignal(reply);
  const exchange = new Exchange(meter, { ...callerOf(request), hits, left });
  if (fault !== undefined) {
    const problem = new Problem('validation_error', fault);
    return refuse(problem, exchange, reply, INVALID_REQUEST);
  }
  // A paid call is counted in the step that charges it. All other requests are counted before they are handled.
  if (!isPaidCall(body)) await exchange.count();
  if (exchange.refusal !== undefined) return sendRefusal(reply, exchange.refusal);
  let response: Response | string;
  try {
    const view = new HttpRequest(request.method, request.headers, body);
    response = await endpoint.serve(view, exchange);
  } catch (error) {
    log.error({ err: error, request_id: request.id }, 'the MCP endpoint failed');
    return refuse(internalError(), exchange, reply, INTERNAL_ERROR);
  }
  // The call was malformed or unknown, so it was answered without the charging step and must be counted now.
  await exchange.count();
  if (exchange.refusal !== undefined) {
    if (typeof response !== 'string') void response.body?.cancel();
    return sendRefusal(reply, exchange.refusal);
  }
  return send(reply, response, exchange);
}

/** Size of a body in bytes. Without a content length, the size of the body's JSON text is used. */
function bytesOf({ headers, body }: FastifyRequest): number {
  const stated = headers['content-length'];
  if (stated !== undefined) return Number(stated);
  try {
    return Buffer.byteLength(JSON.stringify(body ?? null));
  } catch {
    // Nested so deeply that it cannot be written.
    return Number.POSITIVE_INFINITY;
  }
}

/** Refuses a body that is no message of the protocol. 401 and 429 take precedence. */
async function refuse(
  problem: Problem,
  exchange: Exchange,
  reply: FastifyReply,
  code: number,
): Promise<FastifyReply> {
  await exchange.count();
  if (exchange.refusal !== undefined) return sendRefusal(reply, exchange.refusal);
  if (exchange.rate !== undefined) rateHeaders(reply, exchange.rate);
  return sendRpcError(reply, problem.status, {
    code,
    message: problem.message,
    data: problemBody(problem, exchange.requestId),
  });
}

/** Headers of the SDK's response that are passed on. */
const PASSED_ON = ['content-type', 'allow', 'mcp-session-id', 'cache-control', 'x-accel-buffering'];

async function send(
  reply: FastifyReply,
  response: Response | string,
  exchange: Exchange,
): Promise<FastifyReply> {
  if (exchange.rate !== undefined) rateHeaders(reply, exchange.rate);
  if (typeof response === 'string') {
    return reply.header('content-type', 'application/json; charset=utf-8').send(response);
  }
  reply.code(response.status);
  for (const name of PASSED_ON) {
    const value = response.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  if (response.body === null) return reply.send();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return reply.send(await response.text());
  }
  return reply.send(Readable.from(events(response.body)));
}

/**
 * The events of a stream after an initial comment. Clients wait for the headers, which are sent with the first bytes.
 * If the client ends the stream, it is cancelled at its next event.
 */
async function* events(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array | string> {
  yield ':\n\n';
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) yield chunk;
}

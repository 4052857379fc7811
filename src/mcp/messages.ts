import { INVALID_PARAMS } from '@modelcontextprotocol/server';
import type { FastifyReply } from 'fastify';
import { isObject } from '../core/json-text.js';
import { BODY_BYTES_MAX } from '../core/limits.js';
import { OPERATIONS } from '../operations/index.js';
import { bodyBytesMaxOf, type Operation } from '../operations/operation.js';
import { operationOf } from './tools.js';

/** Maximum number of messages of one batch. */
const MAX_BATCH = 100;

/** Whether a body is a single call of a priced tool that expects an answer. */
export function isPaidCall(body: unknown): boolean {
  if (!isObject(body) || body.method !== 'tools/call' || body.id === undefined) return false;
  return isObject(body.params) && operationOf(body.params.name) !== undefined;
}

/**
 * Returns the fault of a batch as a sentence; undefined for a valid batch and for other bodies. Clients match answers
 * by their ids. If two calls had the same id, both would be charged, but only one answered.
 */
export function batchFault(body: unknown): string | undefined {
  if (!Array.isArray(body)) return undefined;
  if (body.length > MAX_BATCH) return `A batch has at most ${MAX_BATCH} messages.`;
  const ids = body.filter(isObject).flatMap(({ id }) => (id === undefined ? [] : [id]));
  return new Set(ids).size < ids.length ? 'Two messages of a batch have the same id.' : undefined;
}

/**
 * Maximum size of a body of the endpoint, in bytes: that of the tool with the largest arguments, including the
 * envelope.
 */
export const MCP_BODY_BYTES_MAX = Math.max(...OPERATIONS.map(bytesMaxOf));

/** Maximum size of this body, in bytes. A batch may be as large as the largest of its messages. */
export function bodyLimitOf(body: unknown): number {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.reduce<number>((most, message) => {
    const params = isObject(message) && isObject(message.params) ? message.params : {};
    const operation = operationOf(params.name);
    return operation === undefined ? most : Math.max(most, bytesMaxOf(operation));
  }, BODY_BYTES_MAX);
}

/** If a tool's arguments may be larger than usual, the limit adds an envelope of the usual size. */
function bytesMaxOf(operation: Operation): number {
  const bytes = bodyBytesMaxOf(operation);
  return bytes > BODY_BYTES_MAX ? bytes + BODY_BYTES_MAX : BODY_BYTES_MAX;
}

/**
 * Returns the answer to a message whose `progressToken` is neither text nor a whole number; undefined for other
 * messages. The SDK would refuse the whole body without a reason.
 */
export function progressTokenFault(body: unknown): string | undefined {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    const params = isObject(message) && isObject(message.params) ? message.params : {};
    const token = isObject(params._meta) ? params._meta.progressToken : undefined;
    if (token === undefined || typeof token === 'string' || Number.isInteger(token)) continue;
    const id = isObject(message) && !Array.isArray(body) ? (message.id ?? null) : null;
    const text = 'params._meta.progressToken must be a string or a whole number.';
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message: text } });
  }
  return undefined;
}

/** The error object of a JSON-RPC response. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Sends a JSON-RPC error that does not belong to a single message, with an HTTP status. */
export function sendRpcError(reply: FastifyReply, status: number, error: RpcError): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}

import { operationOf } from './tools.js';

/** Most messages of one batch. */
const MAX_BATCH = 100;

/** Whether a body is a single call of a priced tool that expects an answer. */
export function isPaidCall(body: unknown): boolean {
  if (!isRecord(body) || body.method !== 'tools/call' || body.id === undefined) return false;
  return isRecord(body.params) && operationOf(body.params.name) !== undefined;
}

/**
 * The fault of a batch as a sentence; undefined for a valid batch and for anything else. Answers are
 * matched by their ids: if two calls had the same id, both would be charged and one answered.
 */
export function batchFault(body: unknown): string | undefined {
  if (!Array.isArray(body)) return undefined;
  if (body.length > MAX_BATCH) return `A batch has at most ${MAX_BATCH} messages.`;
  const ids = body.filter(isRecord).flatMap(({ id }) => (id === undefined ? [] : [id]));
  return new Set(ids).size < ids.length ? 'Two messages of a batch have the same id.' : undefined;
}

/** Whether a JSON value is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

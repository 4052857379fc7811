import { operationOf } from './tools.js';

/** Most messages of one batch. */
const MAX_BATCH = 100;

/** Whether a body is a single call of a priced tool that wants an answer. */
export function isPaidCall(body: unknown): boolean {
  if (!isRecord(body) || body.method !== 'tools/call' || body.id === undefined) return false;
  return isRecord(body.params) && operationOf(body.params.name) !== undefined;
}

/**
 * What is wrong with a batch, as a sentence; undefined for a sound one and for what is no batch.
 * Answers are told apart by their ids: of two calls with one id both would be charged and one
 * answered.
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

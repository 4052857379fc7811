import { errorOf, VitruviaError } from './errors.js';
import type { BatchAnswer } from './generated/api.js';
import { LIMITS, OPERATIONS } from './generated/operations.js';
import type { Transport } from './transport.js';
import type { AnswerOf, BatchEntry, BatchKey, CallOptions } from './types.js';

/** Settings of a series of batches. */
export interface BatchOptions extends CallOptions {
  /** Number of batches under way at once. The service computes at most two of an account at once. */
  readonly concurrency?: number | undefined;
}

/** The answer to an entry, or the error if the entry was refused. A refused entry costs nothing. */
export type BatchResult<E extends BatchEntry = BatchEntry> =
  | { readonly ok: true; readonly entry: E; readonly answer: AnswerOf<E['operation']> }
  | { readonly ok: false; readonly entry: E; readonly error: VitruviaError };

const CONCURRENCY = 2;
/** `{"requests":[]}` */
const FRAME_BYTES = 15;

/**
 * Answers any number of entries in their order. It sends batches of the maximum size. Each batch is one call, so it is
 * charged in one step, at most once.
 *
 * @throws VitruviaError for a batch that is refused as a whole, for example because credits are missing
 */
export async function* answerBatches<E extends BatchEntry>(
  transport: Transport,
  entries: Iterable<E> | AsyncIterable<E>,
  options: BatchOptions = {},
): AsyncGenerator<BatchResult<E>, void, undefined> {
  const { concurrency = CONCURRENCY, idempotencyKey, signal } = options;
  const ended = new AbortController();
  const signals = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  const underWay: Promise<BatchResult<E>[]>[] = [];
  let number = 0;
  try {
    for await (const part of partsOf(entries)) {
      // With a key given, the whole series can be repeated safely: equal entries get equal keys.
      const key = typeof idempotencyKey === 'string' ? `${idempotencyKey}.${number}` : undefined;
      const one = { ...options, signal: signals, idempotencyKey: key ?? idempotencyKey };
      const sent = withFunds([...underWay], () => answerPart(transport, part, one));
      // If this promise is rejected, the next `await` reports the error.
      sent.catch(() => undefined);
      underWay.push(sent);
      number++;
      if (underWay.length >= concurrency) yield* (await underWay.shift()) ?? [];
    }
    while (underWay.length > 0) yield* (await underWay.shift()) ?? [];
  } finally {
    ended.abort();
  }
}

/** Attempts of a batch while credits seem to be missing. */
const FUNDS_ATTEMPTS = 3;
const FUNDS_PAUSE_MS = 200;

/**
 * Sends a batch. While other batches are under way, the service counts their price twice for a moment: as charged and
 * as reserved. A batch that lacks credits is therefore sent again when the others have ended.
 */
async function withFunds<T>(others: readonly Promise<unknown>[], send: () => Promise<T>) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const lacksFunds = error instanceof VitruviaError && error.code === 'insufficient_credits';
      if (!lacksFunds || others.length === 0 || attempt === FUNDS_ATTEMPTS) throw error;
      await Promise.allSettled(others);
      await new Promise((resolve) => setTimeout(resolve, attempt * FUNDS_PAUSE_MS));
    }
  }
}

async function answerPart<E extends BatchEntry>(
  transport: Transport,
  entries: readonly E[],
  options: CallOptions,
): Promise<BatchResult<E>[]> {
  const call = transport.begin('batch', { requests: entries.map(wire) }, options);
  const { answers } = (await transport.json(call)) as BatchAnswer;
  return answers.map(({ status, body }, i): BatchResult<E> => {
    const entry = entries[i] as E;
    return status === 200
      ? { ok: true, entry, answer: body as AnswerOf<BatchKey> as AnswerOf<E['operation']> }
      : { ok: false, entry, error: errorOf(status, body) };
  });
}

/** Splits entries into parts that fit into a batch: by number, by number of heavy entries, and by bytes. */
async function* partsOf<E extends BatchEntry>(
  entries: Iterable<E> | AsyncIterable<E>,
): AsyncGenerator<readonly E[], void, undefined> {
  const encoder = new TextEncoder();
  let part: E[] = [];
  let heavy = 0;
  let bytes = FRAME_BYTES;
  for await (const entry of entries) {
    const size = encoder.encode(JSON.stringify(wire(entry))).length + 1;
    const weight = OPERATIONS[entry.operation].heavy ? 1 : 0;
    const isFull =
      part.length >= LIMITS.batchEntries ||
      heavy + weight > LIMITS.batchHeavy ||
      bytes + size > LIMITS.batchBytes;
    if (isFull && part.length > 0) {
      yield part;
      part = [];
      heavy = 0;
      bytes = FRAME_BYTES;
    }
    part.push(entry);
    heavy += weight;
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** An entry as the service takes it. */
function wire({ operation, input: asked, id }: BatchEntry) {
  const known = OPERATIONS[operation];
  const { name } = known;
  // A batch has no files.
  const input = 'file' in known ? { ...asked, format: 'json' } : asked;
  return id === undefined ? { operation: name, input } : { id, operation: name, input };
}

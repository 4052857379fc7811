import { connectionError } from './errors.js';
import { OPERATIONS } from './generated/operations.js';
import type { Call, Transport } from './transport.js';
import type { DetailsOf, TableKey } from './types.js';

/** An answer in CSV or Arrow as bytes. */
export interface ByteStream<K extends TableKey> {
  /** Facts about the whole answer. */
  readonly details: DetailsOf<K>;
  /** Free calls left, if the free tier paid. */
  readonly remainingFreeCalls: number | undefined;
  /** To be read once. */
  readonly bytes: AsyncGenerator<Uint8Array, void, undefined>;
}

/**
 * Opens an answer as bytes. If the connection is cut, the client repeats the call with its idempotency key. The service
 * then sends the same bytes without charge, and the stream continues where it stopped.
 */
export async function openStream<K extends TableKey>(
  transport: Transport,
  operation: K,
  call: Call,
): Promise<ByteStream<K>> {
  const response = await transport.response(call);
  return {
    details: detailsOf(operation, response.headers),
    remainingFreeCalls: numberOf(response.headers.get('x-remaining-free-calls')),
    bytes: bytesOf(transport, call, response),
  };
}

/** Yields the bytes of an answer. After a cut connection, they continue where they stopped. */
export async function* bytesOf(
  transport: Transport,
  call: Call,
  first: Response,
): AsyncGenerator<Uint8Array, void, undefined> {
  let response: Response | undefined = first;
  let received = 0;
  for (let failures = 0; ; ) {
    response ??= await transport.response(call);
    let skipped = received;
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    try {
      for (;;) {
        const { done, value } = await reader.read().catch((cause) => {
          call.signal?.throwIfAborted();
          throw connectionError(cause, transport.address);
        });
        if (done) return;
        const news = value.subarray(Math.min(skipped, value.length));
        skipped -= value.length - news.length;
        received += news.length;
        if (news.length > 0) yield news;
      }
    } catch (error) {
      if (!isCut(error) || call.key === undefined) throw error;
      // The deadline counts from the beginning of the call, because reading took time, too.
      await transport.waitAfter(error, call, ++failures);
      response = undefined;
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }
}

function isCut(error: unknown): error is ReturnType<typeof connectionError> {
  return error instanceof Error && error.name === 'VitruviaError';
}

function detailsOf<K extends TableKey>(operation: K, headers: Headers): DetailsOf<K> {
  const details = Object.entries(OPERATIONS[operation].table.details).map(([name, type]) => {
    const text = headers.get(`x-${name.replace(/[A-Z]/g, (letter) => `-${letter}`)}`);
    return [name, type === 'number' ? numberOf(text) : (text ?? undefined)];
  });
  return Object.fromEntries(details) as DetailsOf<K>;
}

function numberOf(text: string | null): number | undefined {
  return text === null ? undefined : Number(text);
}

import { type RecordBatch, RecordBatchReader } from 'apache-arrow';
import type { Vitruvia } from './client.js';
import type { ByteStream } from './stream.js';
import type { CallOptions, RequestOf, TableKey } from './types.js';

/** An answer in Arrow, which is read batch by batch, with facts about the whole answer. */
export interface ArrowAnswer<K extends TableKey>
  extends Omit<ByteStream<K>, 'bytes'>,
    AsyncIterable<RecordBatch> {}

/**
 * Reads an answer in Arrow. Memory never holds the whole answer. Needs the package `apache-arrow`.
 *
 * @throws VitruviaError
 */
export async function readArrow<K extends TableKey>(
  vitruvia: Pick<Vitruvia, 'bytes'>,
  operation: K,
  request: RequestOf<K>,
  options?: CallOptions,
): Promise<ArrowAnswer<K>> {
  const { bytes, ...rest } = await vitruvia.bytes(operation, request, 'arrow', options);
  return {
    ...rest,
    async *[Symbol.asyncIterator]() {
      yield* await RecordBatchReader.from(bytes);
    },
  };
}

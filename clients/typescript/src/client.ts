import { answerBatches, type BatchOptions, type BatchResult } from './batch.js';
import { type CsvTable, readCsv } from './csv.js';
import { type FileAnswer, readFile } from './file.js';
import type { Catalog, Health, Ready } from './generated/api.js';
import { OPERATIONS } from './generated/operations.js';
import { type ByteStream, openStream } from './stream.js';
import { fillTable, type Table, type TableRequest } from './table.js';
import { type ClientSettings, Transport } from './transport.js';
import type {
  BatchEntry,
  CallOptions,
  FileKey,
  FileRequestOf,
  OperationKey,
  OperationMethods,
  RequestOf,
  TableKey,
} from './types.js';

/** Rows of an answer in CSV, with the facts about the whole answer. */
export type CsvAnswer<K extends TableKey> = CsvTable & Omit<ByteStream<K>, 'bytes'>;

/** A client of the service. Every method throws `VitruviaError`. */
export interface Vitruvia extends OperationMethods {
  /** Names, limits and errors of the service; needs no key. */
  catalog(): Promise<Catalog>;
  /** Whether the process lives; needs no key. */
  health(): Promise<Health>;
  /** Whether the service can answer and charge; needs no key. */
  ready(): Promise<Ready>;
  /** Answers to any number of entries in their order; see `BatchOptions`. */
  batch<E extends BatchEntry>(
    entries: Iterable<E> | AsyncIterable<E>,
    options?: BatchOptions,
  ): AsyncGenerator<BatchResult<E>, void, undefined>;
  /** A tidy table of all combinations. */
  table(request: TableRequest, options?: BatchOptions): Promise<Table>;
  /** An answer row by row. The whole of it is never in memory. */
  csv<K extends TableKey>(
    operation: K,
    request: RequestOf<K>,
    options?: CallOptions,
  ): Promise<CsvAnswer<K>>;
  /** An answer as a file, such as a body as GLB. */
  file<K extends FileKey>(
    operation: K,
    request: FileRequestOf<K>,
    options?: CallOptions,
  ): Promise<FileAnswer>;
  /** An answer as the bytes of CSV or of an Arrow IPC stream. */
  bytes<K extends TableKey>(
    operation: K,
    request: RequestOf<K>,
    format: 'csv' | 'arrow',
    options?: CallOptions,
  ): Promise<ByteStream<K>>;
}

/**
 * Creates a client. It holds nothing that must be closed.
 *
 * @throws VitruviaError `unauthorized` for a key with characters that no key has
 */
export function createVitruvia(settings: ClientSettings): Vitruvia {
  const transport = new Transport(settings);
  const bytes: Vitruvia['bytes'] = (operation, request, format, options) =>
    openStream(transport, operation, transport.begin(operation, { ...request, format }, options));
  const methods = Object.keys(OPERATIONS).map((name) => {
    const operation = name as OperationKey;
    const method = (request: object, options?: CallOptions) =>
      transport.json(transport.begin(operation, inJson(operation, request), options));
    return [operation, method] as const;
  });
  return {
    ...(Object.fromEntries(methods) as unknown as OperationMethods),
    bytes,
    file: (operation, request, options) =>
      readFile(transport, transport.begin(operation, request, options)),
    catalog: () => transport.read('/') as Promise<Catalog>,
    health: () => transport.read('/health') as Promise<Health>,
    ready: () => transport.read('/ready') as Promise<Ready>,
    batch: (entries, options) => answerBatches(transport, entries, options),
    table: (request, options) => fillTable(transport, request, options),
    async csv(operation, request, options) {
      const { bytes: read, ...rest } = await bytes(operation, request, 'csv', options);
      return { ...(await readCsv(read, OPERATIONS[operation].table.textColumns)), ...rest };
    },
  };
}

/** The request of a method: the report, where a file would answer. */
function inJson(operation: OperationKey, request: object): object {
  return 'file' in OPERATIONS[operation] ? { ...request, format: 'json' } : request;
}

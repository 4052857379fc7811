import { answerBatches, type BatchOptions, type BatchResult } from './batch.js';
import { type CsvTable, readCsv } from './csv.js';
import { type FileAnswer, readFile } from './file.js';
import type { Catalog, Health, Products, Ready } from './generated/api.js';
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

/** Rows of an answer in CSV, with facts about the whole answer. */
export type CsvAnswer<K extends TableKey> = CsvTable & Omit<ByteStream<K>, 'bytes'>;

/** A client of the service. Every method throws `VitruviaError`. */
export interface Vitruvia extends OperationMethods {
  /** Returns names, limits and errors of the service. Needs no key. */
  catalog(): Promise<Catalog>;
  /** The catalogue of products: sizes with rules, size charts and scenes. Free. */
  products(): Promise<Products>;
  /** Whether the process lives; needs no key. */
  health(): Promise<Health>;
  /** Returns whether the service can answer and charge. Needs no key. */
  ready(): Promise<Ready>;
  /** Answers any number of entries in their order; see `BatchOptions`. */
  batch<E extends BatchEntry>(
    entries: Iterable<E> | AsyncIterable<E>,
    options?: BatchOptions,
  ): AsyncGenerator<BatchResult<E>, void, undefined>;
  /** A tidy table of all combinations. */
  table(request: TableRequest, options?: BatchOptions): Promise<Table>;
  /** Reads an answer row by row. Memory never holds the whole answer. */
  csv<K extends TableKey>(
    operation: K,
    request: RequestOf<K>,
    options?: CallOptions,
  ): Promise<CsvAnswer<K>>;
  /** Returns an answer as a file, such as a body as GLB. */
  file<K extends FileKey>(
    operation: K,
    request: FileRequestOf<K>,
    options?: CallOptions,
  ): Promise<FileAnswer>;
  /** Returns the bytes of an answer as CSV or as an Arrow IPC stream. */
  bytes<K extends TableKey>(
    operation: K,
    request: RequestOf<K>,
    format: 'csv' | 'arrow',
    options?: CallOptions,
  ): Promise<ByteStream<K>>;
}

/**
 * Creates a client. A client need not be closed.
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
    catalog: () => transport.read('/'),
    products: () => transport.read('/v1/products'),
    health: () => transport.read('/health'),
    ready: () => transport.read('/ready'),
    batch: (entries, options) => answerBatches(transport, entries, options),
    table: (request, options) => fillTable(transport, request, options),
    async csv(operation, request, options) {
      const { bytes: read, ...rest } = await bytes(operation, request, 'csv', options);
      return { ...(await readCsv(read, OPERATIONS[operation].table.textColumns)), ...rest };
    },
  };
}

/** The request that a method sends. Operations that answer with files are asked for JSON. */
function inJson(operation: OperationKey, request: object): object {
  return 'file' in OPERATIONS[operation] ? { ...request, format: 'json' } : request;
}

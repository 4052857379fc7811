import buildSerializer from 'fast-json-stringify';
import type { TObject } from 'typebox';
import { arrowChunk } from '../table-formats/arrow.js';
import { csvChunk } from '../table-formats/csv.js';
import type { RowTable } from '../table-formats/table.js';
import { type AnswerFormat, CHUNK_ROWS, CONTENT_TYPES, formatOf } from './answer-formats.js';
import type { AnswerRows, Operation } from './operation.js';
import type { PredictionModel } from './prediction-model.js';

/** An answer that is made chunk by chunk. */
export interface AnswerChunks {
  /** Number of chunks, at least one. */
  readonly count: number;
  readonly contentType: string;
  /** Headers in addition to the type. They describe the whole answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns a chunk by its number, counted from 0. All chunks in order form the answer. */
  chunk(index: number): Uint8Array;
}

/**
 * Opens an answer for which `isStreamed` is true.
 *
 * @throws Problem if the model has no answer
 */
export function openChunks(
  operation: Operation,
  input: object,
  model: PredictionModel,
): AnswerChunks {
  const { rows } = operation;
  if (rows === undefined) throw new Error(`${operation.name} has no rows`);
  const table = finite(rows.open(input as never, model));
  const format = formatOf(input);
  const makeChunk = chunkMakers[format];
  const count = Math.max(1, Math.ceil(table.rowCount / CHUNK_ROWS));
  return {
    count,
    contentType: CONTENT_TYPES[format],
    headers: Object.fromEntries(
      Object.entries(table.details).map(([name, value]) => [headerOf(name), String(value)]),
    ),
    chunk(index) {
      const from = index * CHUNK_ROWS;
      return makeChunk(table, from, Math.min(table.rowCount, from + CHUNK_ROWS), operation);
    },
  };
}

/** Name of the header of a detail: `X-Artifact-Version` for `artifactVersion`. */
function headerOf(detail: string): string {
  return `x-${detail.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The table with a check: it throws an error for an infinite value, because such an answer must not be sent. */
function finite(table: RowTable): RowTable {
  return {
    ...table,
    read(from, to) {
      const values = table.read(from, to);
      for (const column of values) {
        if (!(column instanceof Float64Array)) continue;
        if (column.some((value) => Math.abs(value) === Number.POSITIVE_INFINITY)) {
          throw new Error('an answer holds a number that is not finite');
        }
      }
      return values;
    },
  };
}

type ChunkMaker = (table: RowTable, from: number, to: number, operation: Operation) => Uint8Array;

const chunkMakers: Readonly<Record<AnswerFormat, ChunkMaker>> = {
  csv: csvChunk,
  arrow: arrowChunk,
  json: jsonChunk,
};

/** A chunk of `{"list":[…],"detail":…}`. */
function jsonChunk(table: RowTable, from: number, to: number, operation: Operation): Uint8Array {
  const { list } = operation.rows as AnswerRows<object>;
  if (list === undefined) throw new Error(`${operation.name} has no long list`);
  const write = itemSerializer(operation.response, list.field);
  const items = list.items(table, table.read(from, to)).map((item) => write(item));
  const head = from === 0 ? `{${JSON.stringify(list.field)}:[` : ',';
  const isLast = to === table.rowCount;
  const tail = isLast ? `],${JSON.stringify(table.details).slice(1)}` : '';
  return new TextEncoder().encode(head + items.join(',') + tail);
}

type Serializer = (item: object) => string;

const SERIALIZERS = new WeakMap<TObject, Serializer>();

function itemSerializer(response: TObject, field: string): Serializer {
  let serializer = SERIALIZERS.get(response);
  if (serializer === undefined) {
    const { items } = response.properties[field] as { items?: object };
    serializer = buildSerializer(items as object) as Serializer;
    SERIALIZERS.set(response, serializer);
  }
  return serializer;
}

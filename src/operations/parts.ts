import buildSerializer from 'fast-json-stringify';
import type { TObject } from 'typebox';
import { arrowPart } from '../table-formats/arrow.js';
import { csvPart } from '../table-formats/csv.js';
import type { RowTable } from '../table-formats/table.js';
import { type AnswerFormat, CONTENT_TYPES, formatOf, PART_ROWS } from './answer-formats.js';
import type { AnswerRows, Operation } from './operation.js';
import type { PredictionModel } from './prediction-model.js';

/** An answer that is made part by part. */
export interface AnswerParts {
  /** How many parts it has, at least one. */
  readonly count: number;
  readonly contentType: string;
  /** Headers besides its type: facts about the whole answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** A part by its number from 0. All parts in order are the answer. */
  part(index: number): Uint8Array;
}

/**
 * Opens an answer that `isInParts`.
 *
 * @throws Problem when the model has no answer
 */
export function openParts(
  operation: Operation,
  input: object,
  model: PredictionModel,
): AnswerParts {
  const { rows } = operation;
  if (rows === undefined) throw new Error(`${operation.name} has no rows`);
  const table = finite(rows.open(input as never, model));
  const format = formatOf(input);
  const makePart = partMakers[format];
  const count = Math.max(1, Math.ceil(table.rowCount / PART_ROWS));
  return {
    count,
    contentType: CONTENT_TYPES[format],
    headers: Object.fromEntries(
      Object.entries(table.details).map(([name, value]) => [headerOf(name), String(value)]),
    ),
    part(index) {
      const from = index * PART_ROWS;
      return makePart(table, from, Math.min(table.rowCount, from + PART_ROWS), operation);
    },
  };
}

/** Name of the header for a detail: `X-Artifact-Version` for `artifactVersion`. */
function headerOf(detail: string): string {
  return `x-${detail.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The same table; it throws an error when a value is infinite, because such an answer is never sent. */
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

type PartMaker = (table: RowTable, from: number, to: number, operation: Operation) => Uint8Array;

const partMakers: Readonly<Record<AnswerFormat, PartMaker>> = {
  csv: csvPart,
  arrow: arrowPart,
  json: jsonPart,
};

/** A part of `{"list":[…],"detail":…}`. */
function jsonPart(table: RowTable, from: number, to: number, operation: Operation): Uint8Array {
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

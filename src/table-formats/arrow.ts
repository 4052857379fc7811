import {
  type Data,
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import type { Column, ColumnValues, RowTable } from './table.js';

// The Arrow IPC stream (https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format). It has the schema,
// one message for each batch of rows, and an end mark.

/** Size of the end mark in bytes: the sign of a message and its length, 0. */
const END_BYTES = 8;

const TYPES = {
  text: () => new Utf8(),
  integer: () => new Int32(),
  number: () => new Float64(),
} as const;

/**
 * The rows `from` (included) to `to` (excluded) of a table as a part of an Arrow IPC stream. All parts in order form
 * the stream. The details of the table are metadata of the schema. An absent value is null.
 */
export function arrowChunk(table: RowTable, from: number, to: number): Uint8Array {
  const { columns, details, rowCount } = table;
  const metadata = new Map(Object.entries(details).map(([name, value]) => [name, String(value)]));
  const fields = columns.map(({ name, type }) => new Field(name, TYPES[type](), true));
  const schema = new Schema(fields, metadata);
  const values = table.read(from, to);
  const children = columns.map((column, c) => columnData(column, values[c] as ColumnValues));
  const data = makeData({ type: new Struct(fields), length: to - from, nullCount: 0, children });
  const stream = streamOf(schema, new RecordBatch(schema, data as never));
  const start = from === 0 ? 0 : streamOf(schema).length - END_BYTES;
  return stream.slice(start, to === rowCount ? stream.length : stream.length - END_BYTES);
}

function streamOf(schema: Schema, batch?: RecordBatch): Uint8Array {
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  if (batch !== undefined) writer.write(batch);
  writer.finish();
  return writer.toUint8Array(true);
}

function columnData({ type }: Column, values: ColumnValues): Data {
  if (type === 'text') {
    return vectorFromArray(values as readonly string[], TYPES.text()).data[0] as Data;
  }
  if (type === 'integer') {
    const data = Int32Array.from(values as Float64Array);
    return makeData({ type: TYPES.integer(), length: data.length, nullCount: 0, data });
  }
  const data = values as Float64Array;
  const present = new Uint8Array(Math.ceil(data.length / 8));
  let nullCount = 0;
  data.forEach((value, row) => {
    if (Number.isNaN(value)) nullCount++;
    else present[row >> 3] = (present[row >> 3] as number) | (1 << (row & 7));
  });
  const nulls = nullCount === 0 ? {} : { nullBitmap: present };
  return makeData({ type: TYPES.number(), length: data.length, nullCount, ...nulls, data });
}

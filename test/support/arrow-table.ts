import { createHash } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DataType,
  Field,
  FixedSizeList,
  Float32,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Table,
} from 'apache-arrow';
import { FORMAT_VERSION } from '../../src/lookup/format.js';

/** A column of numbers. */
export function numbers(data: Float32Array) {
  return makeData({ type: new Float32(), data });
}

/** A column of lists of `width` numbers. */
export function lists(values: Float32Array, width: number) {
  const item = new Field('item', new Float32(), false);
  return makeData({
    type: new FixedSizeList(width, item),
    length: values.length / width,
    nullCount: 0,
    child: numbers(values),
  });
}

/** Writes an Arrow file of one record batch. Returns its entry for a manifest. */
export function writeTable(
  folder: string,
  file: string,
  type: string,
  columns: Record<string, ReturnType<typeof makeData>>,
) {
  const names = Object.keys(columns);
  const fields = names.map(
    (name) => new Field(name, (columns[name] as { type: DataType }).type, false),
  );
  const metadata = new Map([
    ['artifact_type', type],
    ['format_version', `${FORMAT_VERSION.major}.${FORMAT_VERSION.minor}`],
  ]);
  const schema = new Schema(fields, metadata);
  const children = Object.values(columns);
  const rows = children[0]?.length ?? 0;
  const data = makeData({ type: new Struct(fields), length: rows, nullCount: 0, children });
  const table = new Table(schema, [new RecordBatch(schema, data)]);
  const path = join(folder, file);
  const bytes = RecordBatchFileWriter.writeAll(table).toUint8Array(true);
  writeFileSync(path, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { sha256, bytes: statSync(path).size, rows };
}

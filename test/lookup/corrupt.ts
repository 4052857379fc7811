import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Data,
  type Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableFromIPC,
  tableToIPC,
} from 'apache-arrow';
import { ArtifactError } from '../../src/lookup/errors.js';
import { FILES, type Manifest } from '../../src/lookup/format.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';

/** A manifest as untyped JSON, to be damaged. */
export type LooseManifest = { -readonly [Key in keyof Manifest]: Manifest[Key] } & {
  [key: string]: unknown;
};

/** Applies `change` to the manifest of a version. */
export function changeManifest(folder: string, change: (manifest: LooseManifest) => unknown): void {
  const path = join(folder, FILES.manifest);
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as LooseManifest;
  writeFileSync(path, JSON.stringify(change(manifest) ?? manifest));
}

/** Writes a data file and lists its true size and checksum in the manifest. */
export function replaceFile(folder: string, file: string, bytes: Uint8Array): void {
  writeFileSync(join(folder, file), bytes);
  changeManifest(folder, (manifest) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const rows = manifest.files[file]?.rows ?? 0;
    manifest.files = { ...manifest.files, [file]: { sha256, bytes: bytes.length, rows } };
  });
}

/** The parts of one column, to be changed. */
export interface LooseColumn {
  field: Field;
  data: Data;
}

/** The values of a column, whether the column holds numbers or lists of numbers. */
export function valuesOf(column: LooseColumn): Float32Array | Int32Array {
  return (column.data.children[0] ?? column.data).values as Float32Array | Int32Array;
}

/** Applies `change` to the columns and schema metadata of an Arrow file, and lists its new checksum. */
export function rewriteTable(
  folder: string,
  file: string,
  change: (columns: Map<string, LooseColumn>, metadata: Map<string, string>) => void,
): void {
  // The table is copied, so that changing values does not change a mapped file.
  const table = tableFromIPC(new Uint8Array(readFileSync(join(folder, file))));
  const metadata = new Map(table.schema.metadata);
  const columns = new Map<string, LooseColumn>();
  table.schema.fields.forEach((field, i) => {
    columns.set(field.name, { field, data: table.batches[0]?.data.children[i] as Data });
  });
  change(columns, metadata);
  const fields = [...columns].map(([name, { field }]) => field.clone({ name }));
  const children = [...columns.values()].map(({ data }) => data);
  const schema = new Schema(fields, metadata);
  const length = children[0]?.length ?? 0;
  const data = makeData({ type: new Struct(fields), length, nullCount: 0, children });
  replaceFile(folder, file, tableToIPC(new Table(schema, [new RecordBatch(schema, data)]), 'file'));
}

/**
 * Moves the buffer that holds a column's values by `by` bytes. It patches the offset in the message of the record batch
 * (Arrow IPC: a buffer is two little-endian int64, offset and length).
 */
export function moveBuffer(folder: string, file: string, bufferBytes: number, by: number): void {
  const bytes = new Uint8Array(readFileSync(join(folder, file)));
  const view = new DataView(bytes.buffer);
  let moved = 0;
  for (let at = 16; at + 16 <= Math.min(bytes.length, 8192) && moved === 0; at += 4) {
    const offset = view.getBigInt64(at, true);
    // The empty validity buffer of the column comes first, at the same offset.
    const [before, none] = [view.getBigInt64(at - 16, true), view.getBigInt64(at - 8, true)];
    if (offset <= 0n || offset !== before || none !== 0n) continue;
    if (view.getBigInt64(at + 8, true) !== BigInt(bufferBytes)) continue;
    view.setBigInt64(at, offset + BigInt(by), true);
    moved += 1;
  }
  if (moved !== 1) throw new Error(`no buffer of ${bufferBytes} bytes in ${file}`);
  replaceFile(folder, file, bytes);
}

/** The error of opening the current version in `root`. */
export function refused(root: string): ArtifactError {
  try {
    openArtifact(root);
  } catch (error) {
    if (error instanceof ArtifactError) return error;
    throw error;
  }
  throw new Error('the artifact was opened');
}

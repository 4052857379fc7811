import { type Data, type Table, tableFromIPC } from 'apache-arrow';
import { ArtifactError } from './errors.js';
import { FORMAT_VERSION } from './format.js';

/**
 * Checks that this program reads a format version.
 *
 * @throws ArtifactError `wrong_type`, `newer_format`
 */
export function checkFormat(file: string, version: unknown): void {
  // A manifest is JSON from a disk, so its types must be checked.
  const [major, minor] = typeof version === 'string' ? version.split('.').map(Number) : [];
  const known = `${FORMAT_VERSION.major}.${FORMAT_VERSION.minor}`;
  if (major === undefined || minor === undefined || !(major >= 1) || !(minor >= 0)) {
    throw new ArtifactError('wrong_type', file, `no format version; this program reads ${known}`);
  }
  if (major !== FORMAT_VERSION.major || minor > FORMAT_VERSION.minor) {
    const message = `format ${version}, but this program reads ${known}; rebuild or upgrade`;
    throw new ArtifactError('newer_format', file, message);
  }
}

const ARROW_MAGIC = 'ARROW1';

/**
 * Opens an Arrow file without copying it.
 *
 * @throws ArtifactError `not_arrow`, `truncated`, `wrong_type`, `newer_format`
 */
export function openTable(file: string, type: string, bytes: Uint8Array = new Uint8Array()): Table {
  const ascii = (from: number) =>
    Buffer.from(bytes.buffer, bytes.byteOffset + from, ARROW_MAGIC.length).toString('latin1');
  if (bytes.length < 16 || ascii(0) !== ARROW_MAGIC) {
    throw new ArtifactError('not_arrow', file, 'does not begin as an Arrow file');
  }
  if (ascii(bytes.length - ARROW_MAGIC.length) !== ARROW_MAGIC) {
    throw new ArtifactError('truncated', file, 'does not end as an Arrow file');
  }
  let table: Table;
  try {
    table = tableFromIPC(bytes);
  } catch (cause) {
    throw new ArtifactError('not_arrow', file, `cannot be read: ${(cause as Error).message}`);
  }
  const found = table.schema.metadata.get('artifact_type');
  if (found !== type) {
    throw new ArtifactError('wrong_type', file, `holds ${found ?? 'no artifact'}, not ${type}`);
  }
  checkFormat(file, table.schema.metadata.get('format_version'));
  return table;
}

type ViewConstructor<View> = { new (): View; readonly name: string };

/**
 * The one contiguous buffer of a column of `rows` numbers, or of `rows` lists of `width`.
 *
 * @throws ArtifactError `missing_column`, `wrong_rows`, `misaligned`, `not_a_number`
 */
export function column<View extends Int32Array | Float32Array>(
  table: Table,
  file: string,
  name: string,
  rows: number,
  View: ViewConstructor<View>,
  width = 1,
): View {
  const vector = table.getChild(name);
  if (vector === null) throw new ArtifactError('missing_column', file, `no column ${name}`);
  const data = vector.data[0] as Data | undefined;
  if (vector.data.length !== 1 || data === undefined || data.length !== rows) {
    const message = `column ${name} has ${vector.length} rows, not ${rows} in one batch`;
    throw new ArtifactError('wrong_rows', file, message);
  }
  const child = data.children[0] as Data | undefined;
  if (data.nullCount > 0 || (child?.nullCount ?? 0) > 0) {
    throw new ArtifactError('not_a_number', file, `column ${name} holds nulls`);
  }
  const values: unknown = child === undefined ? data.values : child.values;
  if (!(values instanceof View)) {
    throw new ArtifactError('missing_column', file, `column ${name} is not of ${View.name}`);
  }
  if (values.byteOffset % 8 !== 0) {
    throw new ArtifactError('misaligned', file, `column ${name} does not begin on 8 bytes`);
  }
  if (values.length !== rows * width || (child !== undefined && child.length !== rows * width)) {
    const message = `column ${name} holds ${values.length} values, not ${rows * width}`;
    throw new ArtifactError('wrong_rows', file, message);
  }
  return values;
}

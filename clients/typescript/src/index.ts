// The client of Vitruvia. README.md shows how to use it.
export type { BatchOptions, BatchResult } from './batch.js';
export { type CsvAnswer, createVitruvia, type Vitruvia } from './client.js';
export type { CsvRow, CsvTable, CsvValue } from './csv.js';
export { type ConnectionCode, VitruviaError } from './errors.js';
export type { FileAnswer } from './file.js';
export type * from './generated/api.js';
export {
  clothingValues as CLOTHING,
  countryValues as COUNTRIES,
  genderValues as GENDERS,
  measurementValues as MEASUREMENTS,
  postureValues as POSTURES,
} from './generated/api.js';
export type { ByteStream } from './stream.js';
export {
  type LeftOut,
  TABLE_COLUMNS,
  type Table,
  type TableRequest,
  type TableRow,
} from './table.js';
export type { ClientSettings } from './transport.js';
export type {
  AnswerOf,
  BatchEntry,
  BatchKey,
  CallOptions,
  FileKey,
  FileRequestOf,
  JsonKey,
  OperationKey,
  RequestOf,
  TableKey,
} from './types.js';

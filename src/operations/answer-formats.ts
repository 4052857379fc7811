import Type from 'typebox';
import { oneOf } from './fields.js';
import type { Operation } from './operation.js';

/** Formats of answers with many rows. */
export const ANSWER_FORMATS = ['json', 'csv', 'arrow'] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/**
 * Media types of the formats. Arrow's media type is registered with IANA
 * (https://www.iana.org/assignments/media-types/application/vnd.apache.arrow.stream).
 */
export const CONTENT_TYPES: Readonly<Record<AnswerFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  arrow: 'application/vnd.apache.arrow.stream',
};

/** Number of rows in a chunk. 250 complete people are 1 MB of JSON. */
export const CHUNK_ROWS = 250;
/** Processor time of such a chunk in ms. It includes opening the answer, which may be open in another thread. */
export const CHUNK_MS = 60;

const JSON_ONLY = ['json'] as const;
const DEFAULT = { default: JSON_ONLY[0] };

/** The format of the answer. */
export const formatField = {
  format: Type.Optional(
    oneOf<AnswerFormat>(ANSWER_FORMATS, {
      ...DEFAULT,
      description: 'Format of the answer: JSON, CSV with a line of names, or an Arrow IPC stream.',
    }),
  ),
};

/** The field `format` if an answer must be JSON. */
export const jsonFormatField = {
  format: Type.Optional(
    oneOf<'json'>(JSON_ONLY, {
      ...DEFAULT,
      description: 'Only json here; the REST route has csv and arrow, too.',
    }),
  ),
};

/** Format that a request asks for. */
export function formatOf(input: object): AnswerFormat {
  return (input as { format?: AnswerFormat }).format ?? 'json';
}

/** Whether the answer to a request is bytes that are sent in chunks. A file is one chunk. */
export function isStreamed({ rows, file }: Operation, input: object): boolean {
  if (file !== undefined) return file.formatOf(input as never) !== undefined;
  if (rows === undefined) return false;
  if (formatOf(input) !== 'json') return true;
  return rows.list !== undefined && rows.list.count(input as never) > CHUNK_ROWS;
}

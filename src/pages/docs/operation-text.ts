import { COUNTRY_CODES } from '../../core/countries.js';
import { ERRORS, Problem } from '../../core/errors.js';
import { MEASUREMENT_NAMES } from '../../core/measurements.js';
import { CLOTHING, POSTURES } from '../../core/profiles.js';
import { ERROR_NOTES } from '../../operations/catalog.js';
import { documentedAnswer } from '../../operations/documented-answer.js';
import { BODY_MEASUREMENTS } from '../../operations/fields.js';
import type { Operation } from '../../operations/operation.js';
import { refusalsOf } from '../../operations/refusals.js';
import { curlText, mcpText, pythonText, typeScriptText } from '../../site/call-text.js';
import type { PageContext } from './page.js';
import { type ApiSchema, flattened, type NamedField } from './schema.js';
import { blocks, fenced, json, prettyJson, table } from './write.js';

/** The page of an operation: its fields, a request with its real answer, and its errors. */
export function operationText(operation: Operation, context: PageContext): string {
  const { origin, isShort = false } = context;
  const { name, path, description, price, example } = operation;
  const { file } = operation;
  const format = file?.formatOf(example as never);
  const saved = format === undefined ? undefined : `${name}.${format}`;
  const call = { operation: name, path, body: example, file: saved };
  return blocks(
    `${description} Cost in credits: ${price}.`,
    fenced('http', `POST ${path}`),
    '## Example',
    fenced('sh', curlText(call, origin, isShort ? undefined : prettyJson(example))),
    ...answerBlocks(operation, context),
    operation.cost(example as never) === 0
      ? undefined
      : 'If a free call paid for the request, the answer also has the field `remaining_free_calls`.',
    ...(isShort
      ? []
      : [
          '### In Python {#python}',
          'The same request with the [client](/docs/clients):',
          fenced('python', pythonText(call, origin)),
          '### In TypeScript {#typescript}',
          fenced('ts', typeScriptText(call, origin)),
        ]),
    ...(operation.outsideTools === true
      ? []
      : [
          '### Over MCP {#mcp}',
          'Over [MCP](/docs/mcp), a client sends this message to `/mcp`:',
          fenced('json', mcpText(call)),
        ]),
    '## Request',
    'Unknown fields are refused. Every request may have an `Idempotency-Key` header; see [Billing and limits](/docs/billing).',
    ...fieldTables(operation.request as ApiSchema, ['field', 'values', 'meaning'], requestRow),
    ...profileTables(operation.request as ApiSchema),
    '## Answer',
    'The answer has the headers `X-Request-Id`, `RateLimit` and `RateLimit-Policy`. A repeated request that costs nothing also has `Idempotent-Replayed: true`.',
    ...(file?.alsoJson === false
      ? []
      : fieldTables(operation.response as ApiSchema, ['field', 'type', 'meaning'], answerRow)),
    '## Errors',
    'All refusals have the form of [Errors](/docs/errors). A refusal costs nothing.',
    '### Codes of this operation {#errors-of-operation}',
    table(
      ['status', 'code', 'when'],
      refusalsOf(operation).map((code) => [
        String(ERRORS[code].status),
        `[\`${code}\`](/docs/errors#error-${code})`,
        ERROR_NOTES[code],
      ]),
    ),
  );
}

/** The answer of the example, or the reason why this artifact has no answer. */
export function answerBlocks(
  operation: Operation,
  { model, isShort = false }: PageContext,
): readonly string[] {
  const { file, example } = operation;
  if (file?.alsoJson === false) {
    return [`The answer is a file of the type \`${Object.values(file.types).join('`, `')}\`.`];
  }
  const isFile = file?.formatOf(example as never) !== undefined;
  const intro = isFile
    ? 'The answer is a file. With `"format": "json"` it is the report, which the file contains as well:'
    : 'The answer is:';
  try {
    const answer = documentedAnswer(operation, example, model);
    const text = json(isShort ? shortened(answer) : answer);
    const isSitting = /"Sitting.*"standing_erect"/s.test(text);
    return [
      intro,
      text,
      isSitting
        ? '`standing_erect` is the default: people sit erect for a sitting measurement.'
        : '',
    ];
  } catch (error) {
    if (error instanceof Problem) return [error.message];
    throw error;
  }
}

/** Values of one person that a short text shows. The rest are counted. */
const SHOWN_VALUES = 6;

/** An answer in which people with many measurements show the first ones. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isLong =
    entries.length > 4 * SHOWN_VALUES && entries.every(([, one]) => typeof one === 'number');
  const shown = entries.slice(0, isLong ? SHOWN_VALUES : undefined);
  const rest = isLong ? [['…', `${entries.length - SHOWN_VALUES} more`]] : [];
  return Object.fromEntries([...shown.map(([name, one]) => [name, shortened(one)]), ...rest]);
}

/** The meanings of clothing and posture, if the request has these fields. */
function profileTables(request: ApiSchema): readonly string[] {
  if (!flattened(request).some(({ name }) => /(^|[.\]])posture$/.test(name))) return [];
  const rows = (profiles: readonly { readonly id: string; readonly definition: string }[]) =>
    profiles.map(({ id, definition }) => [`\`${id}\``, definition]);
  return [
    '### Clothing and posture',
    'Clothing and posture move a measurement. The figures are for US adults; those of others are in proportion to their stature. [Clothing and posture](/docs/clothing-and-posture) has them for every dimension.',
    table(['clothing', 'meaning'], rows(CLOTHING)),
    table(['posture', 'meaning'], rows(POSTURES)),
    '**Omit `posture` for a sitting measurement.** Sitting measurements are taken sitting erect; `sitting` means slumped.',
  ];
}

/** The table of the outer fields, then under a heading of its own that of the fields inside each of them. */
function fieldTables(
  schema: ApiSchema,
  header: readonly string[],
  rowOf: (one: NamedField) => readonly string[],
): readonly string[] {
  const fields = flattened(schema);
  const outer = fields.filter(({ name }) => /^\w+$/.test(name));
  const inner = outer.flatMap(({ name }) => {
    const rows = fields.filter((one) => one.name.split(/[.[]/)[0] === name && one.name !== name);
    return rows.length === 0 ? [] : [`### Fields of \`${name}\``, table(header, rows.map(rowOf))];
  });
  return [table(header, outer.map(rowOf)), ...inner];
}

function requestRow({ name, field, required }: NamedField): readonly string[] {
  const byDefault = field.default === undefined ? '' : `; default \`${field.default}\``;
  const values = `${required ? '**Required**: ' : ''}${valuesOf(field)}${byDefault}`;
  return [`\`${name}\``, values, field.description ?? ''];
}

function answerRow({ name, field, required }: NamedField): readonly string[] {
  const type = field.type === 'array' ? 'list' : typeOf(field);
  return [`\`${name}\``, required ? type : `${type}, not always`, field.description ?? ''];
}

function typeOf({ type = '' }: ApiSchema): string {
  return typeof type === 'string' ? type : type.join(' or ');
}

function valuesOf(field: ApiSchema): string {
  if (field.items !== undefined) {
    const { minItems = 0, maxItems } = field;
    const different = field.uniqueItems === true ? 'different ' : '';
    return `list of ${minItems} to ${maxItems} ${different}of: ${valuesOf(field.items)}`;
  }
  const { enum: list, minimum, maximum, exclusiveMinimum } = field;
  if (field.properties !== undefined) return 'an object';
  if (list?.length === MEASUREMENT_NAMES.length) return 'a [measurement](/docs/measurements)';
  if (list?.length === BODY_MEASUREMENTS.length) {
    return 'a [measurement](/docs/measurements), `BMI` or `BodyMass`';
  }
  if (list?.length === COUNTRY_CODES.length) return 'a [country](/docs/countries)';
  if (list !== undefined) return list.map((one) => `\`${one}\``).join(', ');
  if (minimum !== undefined) return `${typeOf(field)}, ${minimum} to ${maximum}`;
  if (exclusiveMinimum !== undefined) return `${typeOf(field)}, above ${exclusiveMinimum}`;
  return typeOf(field);
}

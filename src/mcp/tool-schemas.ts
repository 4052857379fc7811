import { QUANTITY_LIMITS } from '../core/limits.js';
import { type ListName, listOf } from '../operations/fields.js';
import inFewerWords from './fewer-words.json' with { type: 'json' };

// Schemas of tools in few tokens. A model reads the list of tools before each conversation, and each name in a list
// costs tokens in every tool. The service checks each call against the full schema of REST. If a name is unknown, the
// refusal says which name was probably meant. Requests keep to the keywords that OpenAI's strict functions and Gemini's
// declarations both take; a test checks both.

/** A schema as plain JSON, with the keywords that the tools use. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly [keyword: string]: unknown;
}

/** Schema of a name in a tool, in place of the list of all names. */
const NAMES: Partial<Readonly<Record<ListName, object>>> = {
  measurements: { type: 'string' },
  bodyMeasurements: { type: 'string' },
  countries: { type: 'string' },
};

/** Where the names of measurements come from. */
const FROM_CATALOG = 'Name from get_catalog.';
/** How a country is written. */
const COUNTRY_CODE = 'ISO code.';
/** Schema of a field with free names. Neither OpenAI nor Gemini takes an object with free names. */
const JSON_TEXT = 'As JSON text.';

/** Texts about the profiles in the schemas of tools. The names of the other lists need no explanation. */
const PROFILES: Partial<Readonly<Record<ListName, string>>> = {
  clothing:
    'Default: nude. light: indoor clothes. shoes: flat, Stature +28 mm. light_shoes: both. winter: coat, boots; HipBreadth +50. heels: +45, from age 12.',
  postures:
    'Default: standing_erect. standing_relaxed: Stature −22 mm. sitting: slumped, −40. Omit for sitting dimensions.',
};

/** A field that several tools take. One of them says what it means. */
interface SharedField {
  /** Name of the tool that says it. */
  readonly saidBy: string;
  /** Short text for the other tools. */
  readonly elsewhere: string;
}

/** The shared fields. The other tools have their names and types without texts and limits. */
const SHARED: Readonly<Record<string, SharedField>> = {
  population: { saidBy: 'population_percentiles', elsewhere: 'As in population_percentiles.' },
  known: { saidBy: 'complete_person', elsewhere: 'As in complete_person.' },
  seat: { saidBy: 'reach_share', elsewhere: 'As in reach_share.' },
  lean: { saidBy: 'reach_share', elsewhere: 'As in reach_share.' },
  clothing: { saidBy: 'predict', elsewhere: 'Default: nude; see predict.' },
  posture: { saidBy: 'predict', elsewhere: '`sitting` is slumped: omit for sitting dimensions.' },
};

/** Sentences of REST in fewer words. Null removes a sentence that repeats the name of the field. */
const FEWER_WORDS: Readonly<Record<string, string | null>> = inFewerWords;

/**
 * Keywords that the schema of a tool leaves out. The service checks them. A default is in the description, unless it is
 * the first value of a short list, which a model expects to be the default.
 */
const LEFT_OUT = new Set(['uniqueItems', 'maxLength', 'minLength', 'exclusiveMinimum', 'default']);

/** Whether a keyword is a limit of lengths or masses that no model reaches. The service checks these limits. */
function isFarOff(keyword: string, value: unknown): boolean {
  return (
    (keyword === 'minimum' && (value as number) > 0 && (value as number) <= 0.01) ||
    (keyword === 'minimum' && (value as number) <= -3000) ||
    (keyword === 'maximum' && value === 3000) ||
    (keyword === 'maximum' && value === QUANTITY_LIMITS.maximum)
  );
}

/** From this limit on, the schema of a list omits its limit: a model seldom writes so many items. */
const MANY_ITEMS = 50;
/** Limits. The service checks them, so a shared field has them only in the tool that says what it means. */
const LIMITS = new Set(['minimum', 'maximum', 'minItems', 'maxItems']);

/**
 * The schema of a request for the list of tools. Short lists of values stay. Names of measurements and countries become
 * plain texts.
 *
 * @param request a schema of REST
 * @param tool name of the tool
 */
export function toolInput(request: object, tool: string): object {
  const { properties = {}, ...others } = plain(request);
  const fields = Object.entries(properties)
    // Fields with only one value, such as the format of an answer, are left out.
    .filter(([, field]) => field.enum?.length !== 1)
    .map(([name, field]) => [name, inputField(field, { name, tool, level: 1, isSaid: false })]);
  return { ...others, properties: Object.fromEntries(fields) };
}

/**
 * The schema of an answer for the list of tools: names and types, without descriptions. What comes only sometimes is
 * left out, because the answer names its fields: fields of the answer itself, and lists and objects inside it. Every
 * answer that fits the schema of REST also fits this schema.
 *
 * @param response a schema of REST
 */
export function toolOutput(response: object): object {
  const { properties = {}, required = [], ...others } = plain(response);
  const always = Object.entries(properties).filter(([name]) => required.includes(name));
  const fields = always.map(([name, field]) => [name, answerField(field)]);
  return { ...others, required, properties: Object.fromEntries(fields) };
}

function answerField({ required = [], properties = {}, ...schema }: Schema): object {
  const told = Object.entries(properties).filter(
    ([name, { properties: fields, items, type }]) =>
      required.includes(name) || (type !== 'object' && fields === undefined && items === undefined),
  );
  const isKept = (keyword: string) => keyword !== 'description' && !LIMITS.has(keyword);
  return nested({ ...schema, properties: Object.fromEntries(told) }, isKept, answerField);
}

/** Converts a schema to plain JSON, without the marks of the validator. */
function plain(schema: object): Schema {
  return JSON.parse(JSON.stringify(schema));
}

/** Where a schema is in the request of a tool. */
interface Place {
  /** Name of the field; empty for the items of a list. */
  readonly name: string;
  readonly tool: string;
  readonly level: number;
  /** Whether it is a part of a field that another tool explains. */
  readonly isSaid: boolean;
}

function inputField(schema: Schema, place: Place): object {
  const { name, tool, level } = place;
  const shared = SHARED[name];
  const elsewhere = shared?.saidBy === tool ? undefined : shared?.elsewhere;
  const isSaid = place.isSaid || elsewhere !== undefined;
  if (schema.type === 'object' && Object.keys(schema.properties ?? {}).length === 0) {
    return { type: 'string', description: withEnd(fewerWords(schema), JSON_TEXT) };
  }
  const { description: _, ...others } = nested(
    schema,
    (keyword, value) =>
      !(
        (isSaid && LIMITS.has(keyword)) ||
        (keyword === 'minItems' && value === 1) ||
        (keyword === 'maxItems' && (value as number) >= MANY_ITEMS)
      ),
    (inner, field) =>
      inputField(schema.type === 'array' ? untold(inner) : inner, {
        name: field,
        tool,
        level: level + 1,
        isSaid,
      }),
  );
  const list = listOf(schema.enum);
  const text = inputText(schema, list, place, elsewhere);
  const { enum: __, ...named } = others;
  const known = list === undefined ? undefined : NAMES[list];
  const field = known === undefined ? others : { ...named, ...known };
  return text === undefined ? field : { ...field, description: text };
}

/** The schema of a list's items without its description, because the list has the same description. */
function untold({ description: _, ...schema }: Schema): Schema {
  return schema;
}

function fewerWords({ description = '' }: Schema): string | undefined {
  const fewer = FEWER_WORDS[description];
  return (fewer === undefined ? description : fewer) || undefined;
}

const withEnd = (text: string | undefined, end: string): string =>
  text === undefined ? end : `${text} ${end}`;

/**
 * The description of a field. A list of texts gets the description of its items.
 *
 * @param elsewhere the description if another tool explains the field
 */
function inputText(
  schema: Schema,
  list: ListName | undefined,
  { name, level, isSaid }: Place,
  elsewhere: string | undefined,
): string | undefined {
  // Each age says whether it is exact or in completed years.
  if (isSaid && !name.startsWith('age')) return undefined;
  if (list === 'clothing' || list === 'postures') {
    if (schema.default === undefined) return fewerWords(schema);
    return elsewhere === undefined ? PROFILES[list] : level === 1 ? elsewhere : undefined;
  }
  if (elsewhere !== undefined) return elsewhere;
  if (schema.properties !== undefined) return undefined;
  const text = fewerWords(schema);
  const names = listOf(schema.items?.enum) ?? list;
  if (names === 'measurements' || names === 'bodyMeasurements') return withEnd(text, FROM_CATALOG);
  if (list !== 'countries') return list === undefined ? text : undefined;
  const code = text ?? COUNTRY_CODE;
  return schema.default === undefined ? code : `${code} Default: ${schema.default}.`;
}

/** A schema with some of its keywords. Its inner schemas are shortened too. */
function nested(
  { type, ...schema }: Schema,
  isKept: (keyword: string, value: unknown) => boolean,
  short: (inner: Schema, name: string) => object,
): Record<string, unknown> {
  const { properties, items, patternProperties, ...keywords } = schema;
  const kept = Object.entries(keywords).filter(
    ([keyword, value]) =>
      !LEFT_OUT.has(keyword) && !isFarOff(keyword, value) && isKept(keyword, value),
  );
  const inner = Object.entries(properties ?? {}).map(([name, field]) => [name, short(field, name)]);
  const [pattern] = Object.values((patternProperties ?? {}) as Record<string, Schema>);
  return {
    type,
    ...Object.fromEntries(kept),
    ...(inner.length === 0 ? {} : { properties: Object.fromEntries(inner) }),
    ...(items === undefined ? {} : { items: short(items, '') }),
    ...(pattern === undefined ? {} : { additionalProperties: short(pattern, '') }),
  };
}

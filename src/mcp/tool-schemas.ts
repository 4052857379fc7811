import { QUANTITY_LIMITS } from '../core/limits.js';
import { type ListName, listOf } from '../operations/fields.js';

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
  readonly additionalProperties?: unknown;
  readonly [keyword: string]: unknown;
}

/** What the schema of a tool has instead of a list of names. */
const NAMES: Partial<Readonly<Record<ListName, object>>> = {
  measurements: { type: 'string' },
  bodyMeasurements: { type: 'string' },
  countries: { type: 'string' },
};

/** Where the names of measurements come from. */
const FROM_CATALOG = 'Name from get_catalog.';
/** How a country is written. */
const COUNTRY_CODE = 'ISO code.';
/** What a field has whose names the schema cannot list. Neither OpenAI nor Gemini takes an object with free names. */
const JSON_TEXT = 'As JSON text.';

/** Texts about the profiles in the schemas of tools. The names of the other lists need no explanation. */
const PROFILES: Partial<Readonly<Record<ListName, string>>> = {
  clothing:
    'Default: nude. light: indoor clothes. shoes: flat, Stature +28 mm. light_shoes: both. winter: coat, boots; HipBreadth +50. heels: +45, from age 12.',
  postures: 'Default: standing_erect. standing_relaxed: Stature −22 mm. sitting: slumped, −40.',
};

/** The same in the schemas of the other tools. */
const ELSEWHERE: typeof PROFILES = {
  clothing: 'Default: nude; see predict.',
  postures: 'See predict.',
};

/** Sentences of REST in fewer words. Undefined removes a sentence that repeats the name of the field. */
const FEWER_WORDS: Readonly<Record<string, string | undefined>> = {
  'Whether the report, and the extras of a GLB, have mass, centre of mass and inertia of 16 segments. Default: false.':
    undefined,
  'Least value.': undefined,
  'Largest value.': undefined,
  'Least value that is accommodated.': undefined,
  'Largest value that is accommodated.': undefined,
  'Measurement that is limited.': undefined,
  'Limits that a person must meet together.': undefined,
  'Share of people with these known values inside `low` and `high`, in percent.':
    'Percent of people inside `low` and `high`. Default: 90.',
  'Groups of people.': undefined,
  'Dimension to predict.': undefined,
  'Country of the population.': undefined,
  'Measurement that decides who belongs to the population.': undefined,
  'Exact age in years; 10.5 is the middle of being 10.':
    'Exact years; of a child who is 8, say 8.5.',
  'Share of the group, in all groups or in none; by head count if omitted.':
    'Share of the group, in all groups or in none.',
  'Least percentile of the population that is accommodated, instead of `min`.':
    'Percentile instead of `min`.',
  'Largest percentile of the population that is accommodated, instead of `max`.':
    'Percentile instead of `max`.',
  'Measurement that is known.': undefined,
  'Its value.': undefined,
  'Its percentile among people like the person, instead of `value`.': 'Instead of `value`.',
  'Youngest completed age in years.': 'Completed years.',
  'Oldest completed age in years.': 'Completed years.',
  'What is known of the person.': undefined,
  'What is known of the person, as in `complete_person`; `[]` for the median person. The rest is completed.':
    undefined,
  'Your name of the person; files repeat it.': undefined,
  'Forward.': undefined,
  'To the person’s left.': undefined,
  'Up.': undefined,
  'Your name of it.': undefined,
  'An end.': undefined,
  'Hand or foot.': undefined,
  'Part of the body that must not touch it.': undefined,
  'Points that people must touch.': undefined,
  'Points that people must see.': undefined,
  'Height.': undefined,
  'To the left.': undefined,
  'csv: all points in `unit`. svg and dxf: the curves of the planes in mm. glb: surfaces in metres, Y up, facing +Z. stl: in mm, Z up.':
    undefined,
  'standing: arms 9° from vertical. sitting: 90° at hips and knees, feet flat, forearms level. a_pose: arms 45°.':
    undefined,
  'full: about 13,700 vertices. light: about 4,100.': undefined,
  'glb: in metres, Y up, facing +Z, with bones. stl (binary) and obj: in mm, Z up. mjcf: a MuJoCo model in metres, Z up, facing +X. json: the report alone.':
    undefined,
};

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

/** If a list may have at least this many items, a model is not told the limit. It seldom writes so many items. */
const MANY_ITEMS = 50;
/** Keywords that the schema of an answer leaves out, because they tell a model nothing. */
const INPUT_ONLY = new Set(['description', 'minimum', 'maximum', 'minItems', 'maxItems']);

/**
 * The schema of a request for the list of tools. Short lists of values stay. Names of measurements and countries become
 * plain texts.
 *
 * @param request a schema of REST
 * @param explains whether it says what the profiles mean; one tool of the list does
 */
export function toolInput(request: object, explains: boolean): object {
  const { properties = {}, ...others } = plain(request);
  const fields = Object.entries(properties)
    // Fields with only one value, such as the format of an answer, are left out.
    .filter(([, field]) => field.enum?.length !== 1)
    .map(([name, field]) => [name, inputField(field, explains, 1)]);
  return { ...others, properties: Object.fromEntries(fields) };
}

/**
 * The schema of an answer for the list of tools: names, types and required fields, without descriptions. Every answer
 * that fits the schema of REST also fits this schema.
 *
 * @param response a schema of REST
 */
export function toolOutput(response: object): object {
  const { properties, ...others } = plain(response);
  // These come only sometimes, and the answer names their fields.
  const { segments: _, armAngle: __, headCountYear: ___, ...named } = properties ?? {};
  const told = properties === undefined ? others : { ...others, properties: named };
  return nested(told, (keyword) => !INPUT_ONLY.has(keyword), toolOutput);
}

/** Converts a schema to plain JSON, without the marks of the validator. */
function plain(schema: object): Schema {
  return JSON.parse(JSON.stringify(schema));
}

function inputField(schema: Schema, explains: boolean, level: number): object {
  const list = listOf(schema.enum);
  if (schema.type === 'object' && Object.keys(schema.properties ?? {}).length === 0) {
    const { description: told = '' } = schema;
    return { type: 'string', description: `${told} ${JSON_TEXT}`.trim() };
  }
  const { description, ...others } = nested(
    schema,
    (keyword, value) =>
      !(
        (keyword === 'minItems' && value === 1) ||
        (keyword === 'maxItems' && (value as number) >= MANY_ITEMS)
      ),
    (inner) => inputField(schema.type === 'array' ? untold(inner) : inner, explains, level + 1),
  );
  const text = inputText(schema, list, explains, level);
  const { enum: _, ...named } = others;
  const known = list === undefined ? undefined : NAMES[list];
  const field = known === undefined ? others : { ...named, ...known };
  return text === undefined ? field : { ...field, description: text };
}

/** The schema of a list's items without its description, because the list has the same description. */
function untold({ description: _, ...schema }: Schema): Schema {
  return schema;
}

/** The description of a field. A list of texts gets the description of its items. */
function inputText(
  { description, properties, items }: Schema,
  list: ListName | undefined,
  explains: boolean,
  level: number,
): string | undefined {
  if (properties !== undefined || description === undefined) return undefined;
  const text = description in FEWER_WORDS ? FEWER_WORDS[description] : description;
  const names = listOf(items?.enum) ?? list;
  if (names === 'measurements' || names === 'bodyMeasurements') {
    return text === undefined ? FROM_CATALOG : `${text} ${FROM_CATALOG}`;
  }
  if (list === 'countries') return text ?? COUNTRY_CODE;
  if (list === undefined) return text;
  if (explains) return PROFILES[list];
  return level === 1 ? ELSEWHERE[list] : undefined;
}

/** A schema with some of its keywords. Its inner schemas are shortened too. */
function nested(
  { type, ...schema }: Schema,
  isKept: (keyword: string, value: unknown) => boolean,
  short: (inner: Schema) => object,
): Record<string, unknown> {
  const { properties, items, patternProperties, ...keywords } = schema;
  const kept = Object.entries(keywords).filter(
    ([keyword, value]) =>
      !LEFT_OUT.has(keyword) && !isFarOff(keyword, value) && isKept(keyword, value),
  );
  const inner = Object.entries(properties ?? {}).map(([name, field]) => [name, short(field)]);
  const [pattern] = Object.values((patternProperties ?? {}) as Record<string, Schema>);
  return {
    type,
    ...Object.fromEntries(kept),
    ...(inner.length === 0 ? {} : { properties: Object.fromEntries(inner) }),
    ...(items === undefined ? {} : { items: short(items) }),
    ...(pattern === undefined ? {} : { additionalProperties: short(pattern) }),
  };
}

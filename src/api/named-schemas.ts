import { COUNTRIES, COUNTRY_CODES } from '../core/countries.js';
import { ERRORS, type ErrorCode } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { MEASUREMENT_NAMES, MEASUREMENTS } from '../core/measurements.js';
import { CLOTHING, CLOTHING_IDS, POSTURE_IDS, POSTURES } from '../core/profiles.js';
import { MASS_UNITS, UNITS } from '../core/units.js';
import { ANSWER_FORMATS } from '../operations/answer-formats.js';
import { ERROR_NOTES } from '../operations/catalog.js';
import { BODY_MEASUREMENTS, BODY_QUANTITIES, VALUES } from '../operations/fields.js';
import type { Operation } from '../operations/operation.js';
import { populationField } from '../operations/population-request.js';

/** A schema as plain JSON. */
export type JsonSchema = { readonly [name: string]: unknown };

/** A list of names that fields of many operations share. */
interface NamedList {
  readonly values: readonly string[];
  readonly description: string;
  /** The meaning of each value, in the order of `values`. */
  readonly meanings?: readonly string[];
}

const definitionsOf = (profiles: readonly { readonly definition: string }[]) =>
  profiles.map(({ definition }) => definition);
const MEASUREMENT_MEANINGS = MEASUREMENTS.map(({ definition }) => definition);

const LISTS: Readonly<Record<string, NamedList>> = {
  Measurement: {
    values: MEASUREMENT_NAMES,
    description: 'A dimension of the body. `GET /` has the definitions, too.',
    meanings: MEASUREMENT_MEANINGS,
  },
  BodyMeasurement: {
    values: BODY_MEASUREMENTS,
    description: 'A dimension of the body, `BMI` or `BodyMass`.',
    meanings: [...MEASUREMENT_MEANINGS, ...bodyMeanings()],
  },
  Country: {
    values: COUNTRY_CODES,
    description: `A country. ${meaningText(
      COUNTRY_CODES,
      COUNTRIES.map(({ name }) => name),
    )}`,
    meanings: COUNTRIES.map(({ name }) => name),
  },
  Gender: { values: GENDERS, description: 'A gender.' },
  Unit: { values: UNITS, description: 'A unit of length.' },
  MassUnit: { values: MASS_UNITS, description: 'A unit of body mass.' },
  Clothing: {
    values: CLOTHING_IDS,
    description: `What people wear, with shifts of US adults. ${meaningText(CLOTHING_IDS, definitionsOf(CLOTHING))}`,
    meanings: definitionsOf(CLOTHING),
  },
  Posture: {
    values: POSTURE_IDS,
    description: `How people stand or sit, with shifts of US adults. ${meaningText(POSTURE_IDS, definitionsOf(POSTURES))}`,
    meanings: definitionsOf(POSTURES),
  },
  ErrorCode: {
    values: Object.keys(ERRORS),
    description: 'What kind of refusal or failure it is.',
    meanings: Object.keys(ERRORS).map((code) => ERROR_NOTES[code as ErrorCode]),
  },
  AnswerFormat: { values: ANSWER_FORMATS, description: 'A format of answers with many rows.' },
};

function bodyMeanings(): readonly string[] {
  const meanings: Readonly<Record<string, string>> = {
    BMI: 'Body mass ÷ stature², kg/m²',
    BodyMass: 'Mass of the nude body',
  };
  return BODY_QUANTITIES.map((name) => {
    const meaning = meanings[name];
    if (meaning === undefined) throw new Error(`${name} has no meaning`);
    return meaning;
  });
}

function meaningText(values: readonly string[], meanings: readonly string[]): string {
  return values.map((value, i) => `\`${value}\`: ${meanings[i]?.replace(/\.$/, '')}.`).join(' ');
}

const { groups, keep } = populationField.properties;
/** Objects that several requests share. */
const OBJECTS: ReadonlyMap<object, string> = new Map<object, string>([
  [populationField, 'Population'],
  [groups.items, 'PopulationGroup'],
  [keep.items, 'PopulationCondition'],
]);

/** The reference to a named schema of the OpenAPI document. */
export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Names of the schemas of an operation's request and of its answer. */
export function schemaNames({ name }: Pick<Operation, 'name'>) {
  const pascal = name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { request: `${pascal}Request`, answer: `${pascal}Answer` };
}

/** The schemas of the OpenAPI document that do not belong to a single operation. */
export function sharedSchemas(): Record<string, JsonSchema> {
  const lists = Object.entries(LISTS).map(([name, { values, description, meanings }]) => {
    const named = meanings === undefined ? {} : { 'x-enum-descriptions': meanings };
    return [name, { type: 'string', description, enum: values, ...named }] as const;
  });
  const objects = [...OBJECTS].map(([schema, name]) => [name, inside(schema)] as const);
  return Object.fromEntries([...lists, ...objects]);
}

/**
 * Converts a schema of an operation for the OpenAPI document. Shared lists and objects become references, and texts in
 * answers list their possible values.
 */
export function documented(schema: object): JsonSchema {
  const shared = OBJECTS.get(schema);
  return defaultInWords(shared === undefined ? inside(schema) : refTo(shared));
}

/**
 * Moves the default of a field into its description. For openapi-typescript, a field with a `default` is always
 * present, so callers would have to send it.
 */
function defaultInWords({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined) return schema;
  return { ...schema, description: `${schema.description} Default: \`${value}\`.` };
}

function inside(schema: object): JsonSchema {
  const {
    enum: listed,
    [VALUES]: possible,
    ...rest
  } = schema as {
    readonly enum?: readonly string[];
    readonly [VALUES]?: readonly string[];
    readonly type?: string;
    readonly properties?: Readonly<Record<string, object>>;
    readonly patternProperties?: Readonly<Record<string, object>>;
    readonly additionalProperties?: unknown;
    readonly items?: object;
  };
  const values = listed ?? possible;
  if (values !== undefined) {
    const { type, ...others } = rest;
    const list = listNamed(values);
    return list === undefined ? { type, enum: values, ...others } : { ...refTo(list), ...others };
  }
  const { properties, patternProperties, items, ...others } = rest;
  // Code generators do not know patterns. A pattern that fits every name is equivalent to `additionalProperties`.
  const [anyName] = Object.values(patternProperties ?? {});
  if (anyName !== undefined) return { ...others, additionalProperties: documented(anyName) };
  if (items !== undefined) return { ...others, items: documented(items) };
  if (properties === undefined) return others;
  const fields = Object.entries(properties).map(([name, field]) => [name, documented(field)]);
  // An object schema without fields allows any fields. From such a schema, generators make an object that must be
  // empty.
  if (fields.length === 0) {
    const { additionalProperties: any } = others;
    const values = typeof any === 'object' && any !== null ? documented(any) : true;
    return { ...others, additionalProperties: values };
  }
  return { ...others, properties: Object.fromEntries(fields) };
}

function listNamed(values: readonly string[]): string | undefined {
  const found = Object.entries(LISTS).find(
    ([, list]) =>
      list.values.length === values.length && list.values.every((name, i) => name === values[i]),
  );
  return found?.[0];
}

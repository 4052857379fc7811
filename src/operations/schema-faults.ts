import type { TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import {
  type CodedFault,
  explain,
  type Limits,
  missingField,
  type SchemaReport,
  unlistedField,
} from './faults.js';

// Finds what is wrong with a body that is not valid.

/** Most faults listed in one refusal; a body of the allowed size has room for thousands. */
const MOST_FAULTS = 50;
/** Items of a list that are checked for faults, or more if a valid list may have more. */
const MOST_ITEMS = 100;

// By default the checker stops at 8 reports; some faults have two reports.
Settings.Set({ maxErrors: 4 * MOST_FAULTS });

/**
 * The faults of a body that is not valid. In each object: missing fields, unlisted fields, then wrong
 * values. The checker could report all of them, but it takes longer than an answer, because it goes
 * through the whole schema for each of them. The search goes as deep as the schema, not as the body.
 */
export function schemaFaults(schema: TObject, body: unknown): CodedFault[] {
  const faults: CodedFault[] = [];
  addFaults(faults, schema, body, '');
  return faults.slice(0, MOST_FAULTS);
}

/** Adds what is wrong with a value; stops when there are enough faults. */
function addFaults(faults: CodedFault[], schema: TSchema, value: unknown, pointer: string): void {
  if (faults.length >= MOST_FAULTS) return;
  const { properties, items } = schema as Partial<Composite>;
  if (properties !== undefined && isObject(value)) {
    addObjectFaults(faults, schema as TObject, value, pointer);
    return;
  }
  const flat = withoutNesting(value, schema);
  const nested = items !== undefined && isComposite(items) && Array.isArray(value);
  for (const report of reportsOf(nested ? withoutItems(schema) : schema, flat)) {
    const limits = (items ?? schema) as Limits;
    const place = { pointer: `${pointer}${report.instancePath}`, value: flat, limits };
    faults.push(...explain(report, place));
  }
  if (!nested) return;
  for (const [index, item] of value.slice(0, itemsChecked(schema)).entries()) {
    addFaults(faults, items, item, `${pointer}/${index}`);
  }
}

function addObjectFaults(
  faults: CodedFault[],
  schema: TObject,
  value: Record<string, unknown>,
  pointer: string,
): void {
  const { required = [], additionalProperties } = schema as Partial<Composite>;
  const allowed = Object.keys(schema.properties);
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  faults.push(...missing.map((name) => missingField(pointer, name)));
  for (const name of additionalProperties === false ? Object.keys(value) : []) {
    if (faults.length >= MOST_FAULTS) return;
    if (!Object.hasOwn(schema.properties, name)) {
      faults.push(unlistedField(pointer, name, allowed));
    }
  }
  for (const [name, field] of Object.entries(schema.properties)) {
    const found = value[name];
    if (!Object.hasOwn(value, name) || (found === undefined && !required.includes(name))) continue;
    addFaults(faults, field, found, `${pointer}/${name}`);
  }
}

/** Keywords of the schemas of objects and lists. */
export interface Composite {
  readonly properties: Readonly<Record<string, TSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: unknown;
  readonly items: TSchema;
  readonly maxItems: number;
}

/** Whether values of a schema are objects or lists, whose faults are searched one by one. */
function isComposite(schema: TSchema): boolean {
  const { properties, items } = schema as Partial<Composite>;
  return properties !== undefined || items !== undefined;
}

const LISTS_ONLY = new WeakMap<TSchema, TSchema>();

/** The schema of a list without the schema of its items. */
function withoutItems(schema: TSchema): TSchema {
  let listOnly = LISTS_ONLY.get(schema);
  if (listOnly === undefined) {
    listOnly = { ...schema, items: {} } as TSchema;
    LISTS_ONLY.set(schema, listOnly);
  }
  return listOnly;
}

const FIELD_CHECKERS = new WeakMap<TSchema, Validator>();

/** What is wrong with a value that is no object with fields. */
function reportsOf(field: TSchema, value: unknown): SchemaReport[] {
  const { enum: allowedValues } = field as { enum?: readonly unknown[] };
  // The checker compares a value with each name of a list in a general way, which takes long.
  if (allowedValues !== undefined && typeof value === 'string') {
    if (allowedValues.includes(value)) return [];
    return [{ keyword: 'enum', instancePath: '', params: { allowedValues } }];
  }
  let checker = FIELD_CHECKERS.get(field);
  if (checker === undefined) {
    checker = Compile(field) as Validator;
    FIELD_CHECKERS.set(field, checker);
  }
  return checker.Check(value) ? [] : checker.Errors(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many items of a list are checked: all that a valid list can have, and one more. */
function itemsChecked(schema: TSchema): number {
  return Math.max(MOST_ITEMS, ((schema as Partial<Composite>).maxItems ?? 0) + 1);
}

/**
 * The value with a shortened list, and without anything nested inside list items or objects; valid
 * scalars and lists of scalars have no such nesting. The checker compares items recursively, so a
 * hostile body could keep it busy for long or overflow the stack.
 */
function withoutNesting(value: unknown, schema: TSchema): unknown {
  const emptied = (item: unknown, index: number) =>
    typeof item === 'object' && item !== null ? { index } : item;
  if (Array.isArray(value)) return value.slice(0, itemsChecked(schema)).map(emptied);
  return emptied(value, 0);
}

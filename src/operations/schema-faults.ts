import type { TObject, TSchema } from 'typebox';
import { isObject } from '../core/json-text.js';
import {
  explain,
  FaultList,
  type Limits,
  missingField,
  pointerTo,
  type Report,
  unlistedField,
} from './faults.js';

// Finds the faults of an invalid body.

/** Maximum number of items of a list that are checked for faults. If a valid list may have more, that number counts. */
const MOST_ITEMS = 100;

/**
 * The faults of an invalid body. In each object, missing fields come first, then unlisted fields, then wrong values.
 * The schema checker could report them, but takes many times as long as an answer. The search goes as deep as the
 * schema, not as the body.
 */
export function schemaFaults(schema: TObject, body: unknown): FaultList {
  const faults = new FaultList();
  addFaults(faults, schema, body, '');
  return faults;
}

/** Adds what is wrong with a value. */
function addFaults(faults: FaultList, schema: TSchema, value: unknown, pointer: string): void {
  const { properties, items } = schema as Partial<Composite>;
  if (properties !== undefined && isObject(value)) {
    addObjectFaults(faults, schema as TObject, value, pointer);
    return;
  }
  for (const report of reportsOf(schema, value)) {
    faults.add(explain(report, { pointer, value, limits: schema as Limits }));
  }
  if (items === undefined || !Array.isArray(value)) return;
  const checked = Math.min(value.length, itemsChecked(schema));
  for (let index = 0; index < checked; index++) {
    // Most items are valid, or their faults are no longer listed. Their pointers are then not written.
    addFaults(faults, items, value[index], faults.isFull ? '' : `${pointer}/${index}`);
  }
}

function addObjectFaults(
  faults: FaultList,
  schema: TObject,
  value: Record<string, unknown>,
  pointer: string,
): void {
  const { properties, required = [], additionalProperties } = schema as Partial<Composite>;
  const fields = properties ?? {};
  for (const name of required) {
    if (!Object.hasOwn(value, name)) faults.add(missingField(pointer, name));
  }
  if (additionalProperties === false) {
    const unlisted = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
    const shown = unlisted.slice(0, faults.room);
    const allowed = shown.length === 0 ? [] : Object.keys(fields);
    for (const name of shown) faults.add(unlistedField(pointer, name, allowed));
    faults.omit(unlisted.length - shown.length);
  }
  if (typeof additionalProperties === 'object' && additionalProperties !== null) {
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(fields, name)) continue;
      const place = faults.isFull ? '' : pointerTo(pointer, name);
      addFaults(faults, additionalProperties as TSchema, value[name], place);
    }
  }
  for (const name in fields) {
    const found = value[name];
    if (!Object.hasOwn(value, name) || (found === undefined && !required.includes(name))) continue;
    addFaults(faults, fields[name] as TSchema, found, faults.isFull ? '' : `${pointer}/${name}`);
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

/** The keywords in the schemas of fields. A test finds any other keyword. */
interface Keywords {
  readonly type: string;
  readonly enum: readonly string[];
  readonly minimum: number;
  readonly maximum: number;
  readonly exclusiveMinimum: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly minItems: number;
  readonly maxItems: number;
  readonly uniqueItems: boolean;
}

const OF_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isObject,
};

/** The faults of a value, except those in the fields of an object and the items of a list. */
function reportsOf(schema: TSchema, value: unknown): Report[] {
  const rules = schema as Partial<Keywords>;
  const { type } = rules;
  if (type !== undefined && OF_TYPE[type]?.(value) !== true) return [{ keyword: 'type', of: type }];
  if (typeof value === 'number') return numberReports(value, rules);
  if (typeof value === 'string') return textReports(value, rules);
  return Array.isArray(value) ? listReports(value, schema) : [];
}

function numberReports(value: number, rules: Partial<Keywords>): Report[] {
  const { minimum, maximum, exclusiveMinimum } = rules;
  const reports: Report[] = [];
  if (minimum !== undefined && value < minimum) reports.push({ keyword: 'minimum', of: minimum });
  if (maximum !== undefined && value > maximum) reports.push({ keyword: 'maximum', of: maximum });
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    reports.push({ keyword: 'exclusiveMinimum', of: exclusiveMinimum });
  }
  return reports;
}

function textReports(value: string, rules: Partial<Keywords>): Report[] {
  const { enum: names, minLength, maxLength } = rules;
  const reports: Report[] = [];
  if (names !== undefined && !names.includes(value)) reports.push({ keyword: 'enum', of: names });
  if (minLength !== undefined && value.length < minLength) {
    reports.push({ keyword: 'minLength', of: minLength });
  }
  if (maxLength !== undefined && value.length > maxLength) {
    reports.push({ keyword: 'maxLength', of: maxLength });
  }
  return reports;
}

function listReports(value: readonly unknown[], schema: TSchema): Report[] {
  const { minItems, maxItems, uniqueItems } = schema as Partial<Keywords>;
  const reports: Report[] = [];
  if (minItems !== undefined && value.length < minItems) {
    reports.push({ keyword: 'minItems', of: minItems });
  }
  if (maxItems !== undefined && value.length > maxItems) {
    reports.push({ keyword: 'maxItems', of: maxItems });
  }
  if (uniqueItems !== true) return reports;
  const seen = new Set<unknown>();
  const again: number[] = [];
  for (const [index, item] of value.slice(0, itemsChecked(schema)).entries()) {
    if (seen.has(item)) again.push(index);
    seen.add(item);
  }
  if (again.length > 0) reports.push({ keyword: 'uniqueItems', of: again });
  return reports;
}

/** Number of items of a list that are checked: one more than a valid list can have. */
function itemsChecked(schema: TSchema): number {
  return Math.max(MOST_ITEMS, ((schema as Partial<Composite>).maxItems ?? 0) + 1);
}

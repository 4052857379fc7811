import type { Facts, Quantity } from './facts.js';
import { wordsOf } from './facts.js';
import type { Found } from './names.js';
import type { Schema } from './solver.js';

// Fills the arguments of a tool from what a brief says, by the names and descriptions of the fields.

/** Everything that a brief says. */
export interface Known {
  readonly text: string;
  readonly facts: Facts;
  readonly codes: readonly string[];
  readonly places: readonly string[];
  /** Best first. */
  readonly measurements: readonly Found[];
}

/** Arguments of a tool. */
export interface Filled {
  readonly input: Record<string, unknown>;
  /** How much of the brief the arguments use. */
  readonly used: number;
  /** Required fields that the brief does not say. */
  readonly missing: number;
}

/** Fills the arguments of a tool. */
export function fill(schema: Schema, known: Known): Filled {
  const state: State = { known, used: new Set(), missing: 0, taken: 0 };
  const input = objectOf(schema, state, undefined);
  const { facts, codes, places, measurements } = known;
  // Facts that the tool has no field for.
  let left = 0;
  if (facts.ages.length > 0 && !state.used.has('ages')) left++;
  if (facts.ages.length > 1 && !state.used.has('oldest')) left += 2;
  if (facts.percentiles.length > 0 && !state.used.has('percentile')) left++;
  if (facts.percentiles.length > 1 && !state.used.has('percentiles')) left++;
  if (facts.percent !== undefined && !state.used.has('percent')) left++;
  if (facts.quantities.length > 0 && !state.used.has('value')) left++;
  if (facts.count !== undefined && !state.used.has('count')) left++;
  if (Math.max(codes.length, places.length) > 1 && !state.used.has('places')) left++;
  if (measurements.length > 1 && state.taken === 1) left += 0.5;
  if (/\bseed\b/.test(known.text) && !state.used.has('seed')) left++;
  return { input, used: state.used.size * 0.5 - left, missing: state.missing };
}

interface State {
  readonly known: Known;
  readonly used: Set<string>;
  missing: number;
  /** Measurements used. */
  taken: number;
}

function objectOf(schema: Schema, state: State, measurement: Found | undefined) {
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const required = schema.required?.includes(name) ?? false;
    const value = fieldValue(name, field, state, required, measurement);
    if (value !== undefined) input[name] = value;
    else if (required) state.missing++;
  }
  return input;
}

function fieldValue(
  name: string,
  field: Schema,
  state: State,
  required: boolean,
  measurement: Found | undefined,
): unknown {
  const { known, used } = state;
  const { facts } = known;
  const says = `${name} ${field.description ?? ''}`;
  const is = (pattern: RegExp) => pattern.test(says);
  const mark = <Value>(fact: string, value: Value): Value => {
    if (value !== undefined) used.add(fact);
    return value;
  };
  const isName = /get_\w+|Name from/.test(field.description ?? '');
  if (field.enum !== undefined)
    return mark(`enum ${name}`, choiceOf(field, name, known, required, measurement));
  if (field.type === 'array') return listOf(name, field, state, required, isName);
  if (field.type === 'object') {
    if (field.properties === undefined || Object.keys(field.properties).length === 0)
      return undefined;
    return required ? objectOf(field, state, undefined) : undefined;
  }
  if (isName) {
    const found = measurement ?? inOrder(known)[state.taken];
    if (found !== undefined) state.taken++;
    return found?.name;
  }
  if (field.pattern !== undefined) return mark('place', known.codes[0]);
  if (is(/youngest/i)) return mark('ages', facts.ages.length > 1 ? facts.ages[0] : undefined);
  if (is(/oldest/i)) return mark('oldest', facts.ages.length > 1 ? facts.ages[1] : undefined);
  if (is(/^age\b/i)) return mark('ages', facts.ages.length === 1 ? facts.ages[0] : undefined);
  if (measurement !== undefined && is(/^(?:min|max)/)) return limitOf(name, state, measurement);
  if (is(/^seed\b/)) {
    const seed = /\bseed (\d+)/.exec(known.text)?.[1];
    return mark('seed', seed === undefined ? undefined : Number(seed));
  }
  if (is(/instead/i) && measurement !== undefined && near(known, measurement)) return undefined;
  if (is(/percentile/i) && !is(/value/i)) return mark('percentile', facts.percentiles[0]);
  if (is(/percent\b|share/i)) {
    if (!required || facts.percent === undefined) return undefined;
    return mark(
      'percent',
      field.maximum !== undefined && field.maximum <= 1 ? facts.percent / 100 : facts.percent,
    );
  }
  if (is(/width/i)) return mark('value', facts.quantities[0]?.value);
  if (is(/number of/i)) return mark('count', facts.count);
  if (is(/length|value/i)) {
    const quantity = measurement === undefined ? facts.quantities[0] : near(known, measurement);
    return mark('value', quantity?.value);
  }
  return undefined;
}

/** The measurements in the order of the text. */
function inOrder({ measurements }: Known): Found[] {
  return [...measurements].sort((one, other) => one.at - other.at);
}

/** The quantity that belongs to a measurement: the next one in the order of the text. */
function near(known: Known, measurement: Found): Quantity | undefined {
  return known.facts.quantities[inOrder(known).indexOf(measurement)];
}

const AT_MOST = /at most|below|shorter|up to|no more/;
const AT_LEAST = /at least|above|taller|no less/;

/** A limit of a measurement: at most or at least a value or a percentile. */
function limitOf(name: string, state: State, measurement: Found): number | undefined {
  const { known, used } = state;
  const words = name.startsWith('max') ? AT_MOST : AT_LEAST;
  if (!words.test(known.text)) return undefined;
  const isPercentile = /percentile/i.test(name);
  const { percentiles } = known.facts;
  const quantity = near(known, measurement);
  if (isPercentile) {
    if (quantity !== undefined || percentiles[0] === undefined) return undefined;
    used.add('percentile');
    return percentiles[0];
  }
  if (quantity !== undefined) used.add('value');
  return quantity?.value;
}

function listOf(name: string, field: Schema, state: State, required: boolean, isName: boolean) {
  const { known, used } = state;
  const { items = {} } = field;
  if (isName) {
    // What is wanted stands after what is known.
    const wanted = inOrder(known).slice(required ? 0 : state.taken);
    state.taken += wanted.length;
    return wanted.length === 0 ? undefined : wanted.map((found) => found.name);
  }
  if (/country|countries/i.test(`${name} ${field.description}`)) {
    const places = items.pattern === undefined ? known.places : known.codes;
    // A list of one is better said by a tool for one.
    if (places.length > (items.pattern === undefined ? 0 : 1)) used.add('place');
    if (places.length > 1) used.add('places');
    return places.length === 0 ? undefined : places;
  }
  if (items.type === 'number') {
    const { percentiles } = known.facts;
    const isLonely = items.maximum !== 99.9 && percentiles.length === 1;
    if (percentiles.length > 0 && !isLonely) used.add('percentile');
    if (percentiles.length > 1) used.add('percentiles');
    return percentiles.length === 0 ? undefined : percentiles;
  }
  if (items.properties === undefined || !required) return undefined;
  const isAboutMeasurements = 'measurement' in items.properties;
  if (!isAboutMeasurements)
    return name === 'requests' ? undefined : [objectOf(items, state, undefined)];
  const hasValue = 'value' in items.properties;
  const some = inOrder(known).filter((found) => !hasValue || near(known, found) !== undefined);
  if (some.length === 0) return undefined;
  return some.map((found) => {
    const item = objectOf(items, state, found);
    // A limit without a value.
    if ('max' in (items.properties ?? {}) && Object.keys(item).length === 1) state.missing++;
    return item;
  });
}

/** The value of a short list that the brief says. */
function choiceOf(
  field: Schema,
  name: string,
  known: Known,
  required: boolean,
  measurement: Found | undefined,
) {
  const { text, facts } = known;
  const choices = field.enum ?? [];
  if (/gender/i.test(name)) {
    return choices.find((choice) => choice.toLowerCase().startsWith(facts.gender ?? '?'));
  }
  const words = wordsOf(text);
  if (/unit/i.test(name)) {
    // The unit of one value is that of the quantity beside it.
    if (measurement !== undefined && /`value`/.test(field.description ?? '')) {
      const unit = near(known, measurement)?.unit;
      return choices.find((choice) => choice === unit);
    }
    const wanted = / in (inches|mm|cm|kg|lb)\b/.exec(text)?.[1];
    const said = [
      ...(wanted === undefined ? [] : [wanted]),
      ...facts.quantities.map((one) => one.unit),
    ];
    const isLong = (word: string) => word.length > 3;
    return choices.find((choice) =>
      said.some((word) => word === choice || (isLong(word) && word.startsWith(choice))),
    );
  }
  // A posture changes what is measured, so a description that warns of one is heeded.
  const told = choices.filter((choice) => words.includes(choice));
  if (/posture/i.test(name)) return words.includes('slumped') ? told[0] : undefined;
  return told[0] ?? (required ? choices[0] : undefined);
}

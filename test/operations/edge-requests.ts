import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { SET_NAMES } from '../../src/core/country-sets.js';
import { KG_PER_UNIT, type MassUnit, MM_PER_UNIT, type Unit } from '../../src/core/units.js';
import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import type { PredictionModel } from '../../src/operations/prediction-model.js';

// Requests made from the schemas of the operations, at the limits of what the schemas allow: smallest and largest
// numbers, tiny numbers, ranges that are empty or reversed, people of one cell, groups with share 0, and conditions
// that nobody meets.

/** The parts of a JSON schema that requests use. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly additionalProperties?: unknown;
}
type Fields = Record<string, unknown>;

/** Relative frequency of operations; 1 for all others. A body takes half a second. */
const OFTEN: Readonly<Record<string, number>> = {
  ...{ population_percentiles: 3, population_share: 6, design_ranges: 3, boundary_cases: 1.5 },
  ...{ sample_people: 3, size_chart: 3, complete_person: 4, body: 0.3, bodies: 0.1 },
  reach_envelope: 0.2,
};
const ENTRIES_MAX = 5;
/** Probability that an optional field is given. */
const GIVEN: Readonly<Record<string, number>> = {
  ...{ keep: 0.4, year: 0.1, unit: 0.2, massUnit: 0.1, clothing: 0.15, posture: 0.1, wanted: 0.2 },
  ...{
    known: 0.9,
    measurements: 0.2,
    sizes: 1,
    minPercentile: 0.25,
    maxPercentile: 0.25,
    percentile: 0.4,
    name: 0.1,
    format: 0.4,
  },
};
const USUALLY_GIVEN = 0.5;
/** Probability that one value has its own unit, which is seldom the right one. */
const OWN_UNIT = 0.03;
/** Measurements that half of the requests are about. */
const USUAL = [
  'Stature',
  'BodyMass',
  'BMI',
  'FootLength',
  'SittingHeight',
  'HandLength',
  'KneeHeight',
];
/** Values as multiples of the median of an adult. */
const MULTIPLES = [
  0.3, 0.8, 0.9, 0.95, 0.95, 0.98, 0.98, 1, 1, 1.001, 1.02, 1.02, 1.05, 1.1, 1.25, 3,
];
/** Widths that one size serves, as multiples of the median of an adult. */
const WIDTHS = [1e-4, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1, 10];
/** Pairs of fields of which only one may be given, and the ends of ranges. */
const ONE_OF = [
  ['value', 'percentile'],
  ['min', 'minPercentile'],
  ['max', 'maxPercentile'],
] as const;
const ENDS = [
  ['min', 'max'],
  ['minPercentile', 'maxPercentile'],
] as const;
const SHARES = [0, 0, 1e-12, 1e-7, 1e-3, 0.25, 0.5, 1];
const AGES = [0, 1, 4, 17, 18, 18, 20, 20, 30, 30, 40, 65, 100, 120];
const YEARS = [0, 0, 1, 10, 40];

/** A request of an operation. */
export interface EdgeRequest {
  readonly operation: Operation;
  readonly input: object;
}

/** Makes requests. Equal seeds give equal requests. */
export class EdgeRequests {
  private readonly random: () => number;
  /** Medians of adults in mm, kg or kg/m². */
  private readonly medians: ReadonlyMap<string, number>;
  /** Units of the request under way. */
  private units: { unit: Unit; massUnit: MassUnit } = { unit: 'mm', massUnit: 'kg' };

  constructor(model: PredictionModel, seed: number) {
    const generator = xoroshiro128plus(seed);
    this.random = () => uniformFloat64(generator);
    const { peopleModel } = model.people();
    const curves = model.people().curves();
    const year = peopleModel.views.manifest.referenceYear;
    curves.at({ country: COUNTRY_CODES.indexOf('DE'), gender: 0, ageYears: 40.5, year });
    this.medians = new Map(peopleModel.names.map((name, i) => [name, curves.value(i, 0)]));
  }

  next(): EdgeRequest {
    const operation = this.weighted(OPERATIONS, ({ name }) => OFTEN[name] ?? 1);
    return { operation, input: this.inputOf(operation) };
  }

  private inputOf(operation: Operation): Fields {
    this.units = { unit: 'mm', massUnit: 'kg' };
    const schema: Schema = JSON.parse(JSON.stringify(operation.request));
    if (operation.name !== 'batch') return this.fieldsOf(schema);
    const entries = OPERATIONS.filter(({ name }) => !(name in OFTEN) && name !== 'batch');
    const requests = Array.from({ length: this.integer(1, ENTRIES_MAX) }, () => {
      const entry = this.chance(0.7) ? this.pick(entries) : this.pick(OPERATIONS);
      const input = entry.name === 'batch' ? {} : this.inputOf(entry);
      return { operation: entry.name, input };
    });
    return { requests };
  }

  /** The fields of an object. The units come first. */
  private fieldsOf({ properties = {}, required = [] }: Schema): Fields {
    const fields: Fields = {};
    const names = Object.keys(properties).sort(
      (one, other) => Number(other in this.units) - Number(one in this.units),
    );
    for (const name of names) {
      const isOwnUnit = name === 'unit' && 'measurement' in properties && 'value' in properties;
      const often = isOwnUnit ? OWN_UNIT : (GIVEN[name] ?? USUALLY_GIVEN);
      const isGiven = required.includes(name) || this.chance(often);
      if (!isGiven) continue;
      fields[name] = this.fieldOf(name, properties[name] as Schema, fields);
      if (name in this.units && !('measurement' in properties)) {
        this.units = { ...this.units, [name]: fields[name] };
      }
    }
    this.orderEnds(fields, names);
    return fields;
  }

  private fieldOf(name: string, schema: Schema, fields: Fields): unknown {
    const measurement = fields.measurement as string | undefined;
    if (name === 'groups') return this.groups();
    if (name === 'tolerance') return this.quantity(measurement, WIDTHS, schema);
    if (name === 'min' || name === 'max' || name === 'value') {
      return this.quantity(measurement, MULTIPLES, schema);
    }
    if (name === 'age') return Math.min(120, this.pick(AGES) + this.pick([0, 0.5, 1e-9]));
    if (name === 'countries') return this.countries();
    if (name === 'count')
      return this.integer(schema.minimum ?? 1, Math.min(40, schema.maximum ?? 40));
    if (name === 'measurements' && schema.type === 'object') return this.measured();
    if (schema.type === 'object') return this.fieldsOf(schema);
    return schema.type === 'array' ? this.list(schema) : this.value(schema);
  }

  private measured(): Fields {
    const names = Array.from({ length: this.integer(0, 3) }, () => this.pick(USUAL));
    return Object.fromEntries(names.map((name) => [name, this.quantity(name, MULTIPLES, {})]));
  }

  private list({ items = {}, minItems = 0, maxItems = 1 }: Schema): unknown[] {
    const most = this.chance(0.9) ? 4 : 20;
    const length = this.integer(minItems, Math.min(maxItems, Math.max(most, minItems)));
    const list = Array.from({ length }, () =>
      items.type === 'object' ? this.fieldsOf(items) : this.value(items),
    );
    return items.type === 'object' ? list : [...new Set(list)];
  }

  private value({ enum: values, type, minimum = 0, maximum = 1 }: Schema): unknown {
    if (values?.includes('Stature') === true && this.chance(0.7)) {
      return this.pick(USUAL.filter((name) => values.includes(name)));
    }
    if (values !== undefined) return this.pick(values);
    if (type === 'boolean') return this.chance(0.5);
    if (type === 'string') return this.pick(['', 'a', '=1+1', 'é"\\\n']);
    const span = maximum - minimum;
    if (type === 'integer') return this.pick([minimum, maximum, minimum + Math.floor(span / 2)]);
    const inner = minimum + span * this.random();
    const whole = Math.min(maximum, Math.max(minimum, Math.round(inner)));
    return this.pick([minimum, maximum, minimum + 1e-9 * span, inner, whole, whole]);
  }

  /** A length, mass or BMI in the units of the request. */
  private quantity(name = 'Stature', multiples: readonly number[], limits: Schema): number {
    if (this.chance(0.03)) return this.pick([limits.minimum ?? 1e-9, limits.maximum ?? 1e9]);
    const { unit, massUnit } = this.units;
    const size = name === 'BodyMass' ? KG_PER_UNIT[massUnit] : MM_PER_UNIT[unit];
    const median = this.medians.get(name) ?? 0;
    const value = median > 0 ? median : 500;
    const wanted = (value * this.pick(multiples)) / (name === 'BMI' ? 1 : size);
    return Math.max(limits.minimum ?? 0, wanted);
  }

  /** Usually gives a range an end, and puts its ends in order. An end is a value or a percentile. */
  private orderEnds(fields: Fields, names: readonly string[]): void {
    if (this.chance(0.05)) return;
    for (const [value, percentile] of ONE_OF) {
      if (value in fields) delete fields[percentile];
    }
    const ends = ['value', 'min', 'max'].filter((name) => names.includes(name));
    const isOpen = [...ends, ...ONE_OF.map(([, percentile]) => percentile)].every(
      (name) => !(name in fields),
    );
    if (ends.length > 0 && isOpen) {
      const end = this.pick(ends);
      fields[end] = this.quantity(fields.measurement as string, MULTIPLES, {});
    }
    for (const [low, high] of ENDS) {
      const [from, to] = [fields[low], fields[high]];
      if (typeof from !== 'number' || typeof to !== 'number' || from < to) continue;
      [fields[low], fields[high]] = [to, from * (from === to ? 1.01 : 1)];
    }
  }

  private groups(): Fields[] {
    const one = (): Fields => {
      const ageMin = this.pick(AGES);
      const group: Fields = { countries: this.countries(), ageMin };
      if (this.chance(0.5)) group.gender = this.pick(['Female', 'Male']);
      group.ageMax = Math.min(120, ageMin + this.pick(YEARS)) - (this.chance(0.02) ? 1 : 0);
      return group;
    };
    const length = this.pick([1, 1, 1, 2, 2, 3, 8]);
    const groups = Array.from({ length }, one);
    if (this.chance(0.1)) groups.push({ ...groups[0] });
    if (this.chance(0.6)) return groups;
    let left = 1;
    for (const [i, group] of groups.entries()) {
      const share = i + 1 === groups.length ? left : Math.min(left, this.pick(SHARES));
      group.share = share;
      left = Math.max(0, left - share);
    }
    return this.chance(0.5) ? groups : groups.reverse();
  }

  private countries(): unknown[] {
    if (this.chance(0.1)) return [this.pick(SET_NAMES)];
    if (this.chance(0.02)) return ['XX'];
    return Array.from({ length: this.pick([1, 1, 1, 2, 5]) }, () => this.pick(COUNTRY_CODES));
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private integer(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  private pick<Item>(list: readonly Item[]): Item {
    return list[this.integer(0, list.length - 1)] as Item;
  }

  private weighted<Item>(list: readonly Item[], weightOf: (item: Item) => number): Item {
    let place = this.random() * list.reduce((sum, item) => sum + weightOf(item), 0);
    for (const item of list) {
      place -= weightOf(item);
      if (place < 0) return item;
    }
    return list.at(-1) as Item;
  }
}

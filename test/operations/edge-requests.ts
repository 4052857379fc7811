import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import { seeded } from '../support/random.js';

// Requests near the examples of the operations. Some of their fields are at the limits of what the schemas allow:
// smallest and largest numbers, tiny numbers, ranges that are empty or reversed, people of one cell, groups with share
// 0, and conditions that nobody meets.

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
}
type Fields = Readonly<Record<string, unknown>>;

/** Probability that a value is another one, that a field is added or left out, and that a list is longer or shorter. */
const CHANGED = 0.1;
/** Operations with their relative frequency. A body takes half a second. */
const OFTEN = OPERATIONS.flatMap((one) =>
  Array<Operation>(one.file !== undefined ? 1 : one.computed ? 20 : 8).fill(one),
);
/** A number without a limit, as a multiple of that of the example. */
const MULTIPLES = [1e-9, 0.3, 0.8, 0.95, 0.98, 1.001, 1.02, 1.1, 1.25, 3, 1e6];
const TEXTS = ['', 'a', '=1+1', 'é"\\\n'];
const SHARES = [0, 1e-12, 1e-7, 1e-3, 0.25];

/** A request of an operation. */
export interface EdgeRequest {
  readonly operation: Operation;
  readonly input: object;
}

/** Makes requests. Equal seeds give equal requests. */
export class EdgeRequests {
  readonly #random: ReturnType<typeof seeded>;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  next(): EdgeRequest {
    const operation = this.#random.pick(OFTEN);
    return { operation, input: this.#near(operation.request, operation.example) as object };
  }

  /** A value like that of an example, with some changes. */
  #near(schema: Schema, value: unknown): unknown {
    if (Array.isArray(value)) return this.#list(schema, value);
    if (typeof value === 'object' && value !== null) return this.#fields(schema, value as Fields);
    return this.#isChanged() ? this.#edge(schema, value) : value;
  }

  #fields({ properties, required = [] }: Schema, given: Fields): Fields {
    const entry = OPERATIONS.find(({ name }) => name === given.operation);
    const fields: Record<string, unknown> = properties === undefined ? { ...given } : {};
    for (const [name, declared] of Object.entries(properties ?? {})) {
      const schema = name === 'input' && entry !== undefined ? entry.request : declared;
      const isGiven = name in given;
      if (!required.includes(name) && this.#isChanged() === isGiven) continue;
      fields[name] = isGiven ? this.#near(schema, given[name]) : this.#edge(schema, undefined);
    }
    return fields;
  }

  #list({ items = {}, maxItems = 1, minItems = 0 }: Schema, given: readonly unknown[]): unknown[] {
    const list = given.map((item) => this.#near(items, item));
    if (this.#isChanged()) list.splice(Math.max(minItems, 1));
    while (list.length < Math.min(maxItems, 20) && this.#isChanged()) {
      list.push(this.#near(items, this.#random.pick(given)));
    }
    if (items.type !== 'object') return [...new Set(list)];
    const isShared = items.properties?.share !== undefined && this.#isChanged();
    return isShared ? this.#shared(list as Fields[]) : list;
  }

  /** Groups with shares that sum to 1. */
  #shared(groups: readonly Fields[]): Fields[] {
    let left = 1;
    return groups.map((group, i) => {
      const share = i === groups.length - 1 ? left : Math.min(left, this.#random.pick(SHARES));
      left -= share;
      return { ...group, share };
    });
  }

  /** A value at a limit of its schema. */
  #edge(schema: Schema, value: unknown): unknown {
    const { type, minimum, maximum, enum: values, items = {}, minItems = 0 } = schema;
    if (values !== undefined) return this.#random.pick(values);
    if (type === 'object') return this.#fields(schema, {});
    if (type === 'array') return Array.from({ length: minItems || 1 }, () => this.#edge(items, 1));
    if (type === 'boolean') return value !== true;
    if (type === 'string') return this.#random.pick(TEXTS);
    const [least = 0, most = 1000] = [minimum, maximum];
    const usual = typeof value === 'number' ? value : (least + most) / 2;
    const inner = [...MULTIPLES.map((one) => one * usual), least + 1e-9 * (most - least)];
    const wanted = this.#random.pick([least, most, ...inner]);
    const number = type === 'integer' ? Math.round(wanted) : wanted;
    return Math.max(least, maximum === undefined ? number : Math.min(maximum, number));
  }

  #isChanged(): boolean {
    return this.#random.unit() < CHANGED;
  }
}

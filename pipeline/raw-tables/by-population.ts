import { group } from 'd3-array';
import type { Gender } from '../../src/core/genders.js';
import type { CellValue } from './raw-tables.js';

/** The rows of one table, in the order of its key. */
export type Rows = readonly Readonly<Record<string, CellValue>>[];

/** The people of a country and gender. */
export interface Population {
  readonly country: string;
  readonly gender: Gender;
}

const keyOf = ({ country, gender }: Population): string => `${country}|${gender}`;

/** A value for each population of a table, in the order of the table. */
export class ByPopulation<Value> {
  readonly #known: Map<string, Population & { readonly value: Value }>;

  constructor(entries: Iterable<Population & { readonly value: Value }>) {
    this.#known = new Map(Array.from(entries, (entry) => [keyOf(entry), entry]));
  }

  /** Makes the value of each population from its rows. */
  static of<Value>(rows: Rows, make: (own: Rows, population: Population) => Value) {
    const populationOf = (row: Rows[number]): Population => {
      return { country: String(row.country), gender: row.gender as Gender };
    };
    const groups = group(rows, (row) => keyOf(populationOf(row)));
    return new ByPopulation<Value>(
      Array.from(groups.values(), (own) => {
        const population = populationOf(own[0] as Rows[number]);
        return { ...population, value: make(own, population) };
      }),
    );
  }

  get(gender: Gender, country: string): Value | undefined {
    return this.#known.get(keyOf({ gender, country }))?.value;
  }

  /** @throws Error naming the source for a population that its table lacks */
  known(gender: Gender, country: string, source: string): Value {
    const found = this.#known.get(keyOf({ gender, country }));
    if (found === undefined) throw new Error(`${source} has no ${gender} of ${country}`);
    return found.value;
  }

  get entries(): readonly (Population & { readonly value: Value })[] {
    return [...this.#known.values()];
  }

  get values(): readonly Value[] {
    return this.entries.map(({ value }) => value);
  }

  /** The values made from these ones; `i` counts the populations. */
  map<Other>(make: (value: Value, population: Population, i: number) => Other) {
    return new ByPopulation<Other>(
      this.entries.map(({ value, ...population }, i) => {
        return { ...population, value: make(value, population, i) };
      }),
    );
  }
}

import { membersOfSet } from '../../core/country-sets.js';
import { unitFor, unitsOf } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import {
  anyNumber,
  choice,
  type Field,
  type Fields,
  parameter,
  readFields,
  type Say,
  type ScreenAddress,
  text,
  UNSAID,
  unlessDefault,
  writeFields,
} from '../shared/address-fields.js';
import { type ShownPeople, type ShownPopulation, shownPeople } from '../shared/one-population.js';
import { POPULATIONS, SHOWN_POPULATION } from '../shared/populations.js';

/**
 * A view of the World screen: one value of one gender and age in all countries. The countries of the population are
 * only marked. Names and numbers are not checked yet.
 */
export interface WorldView extends Omit<ShownPopulation, 'value'> {
  readonly measurement: string;
  readonly percentile: number;
  /** A unit of the API, or `ft-in` for feet and inches. For `ft-in`, the API answers in inches. */
  readonly unit: string;
}

const USUAL = { gender: 'Female', age: 30 } as const;
const AGE = anyNumber('age', 'age', USUAL.age, true);

/** The people of the population that the address shows. */
function peopleOf(params: URLSearchParams): ShownPeople {
  const populations = POPULATIONS.read(params, UNSAID);
  const shown = populations[SHOWN_POPULATION.read(params, UNSAID) - 1];
  return shown === undefined
    ? { ...USUAL, countries: [], clothing: 'nude' }
    : shownPeople(shown, USUAL);
}

/** Parameters that follow from the population if the address lacks them. */
const following = (name: 'gender' | 'clothing'): Field<string> => ({
  read: (params) => params.get(name) ?? peopleOf(params)[name],
  write: (value) => [parameter(name, value)],
});

const FIELDS: Fields<WorldView> = {
  measurement: text('measurement', 'Stature'),
  percentile: anyNumber('percentile', 'percentile', 50),
  gender: following('gender'),
  age: {
    read: (params, say) => (params.has('age') ? AGE.read(params, say) : peopleOf(params).age),
    write: AGE.write,
  },
  clothing: following('clothing'),
  unit: {
    read(params, say) {
      const measurement = params.get('measurement') ?? 'Stature';
      const units = unitsOf(measurement);
      const given = new URLSearchParams({ unit: unitFor(measurement, params.get('unit') ?? '') });
      return choice('unit', 'unit', units, units[0] as string).read(given, say);
    },
    write: (unit) => (['mm', 'kg', 'kg/m²'].includes(unit) ? [] : [parameter('unit', unit)]),
  },
  populations: unlessDefault(POPULATIONS),
  shown: SHOWN_POPULATION,
  countries: { read: (params) => peopleOf(params).countries, write: () => [] },
};

/** Reads a view from an address such as `measurement=HandLength&gender=Male&age=40&percentile=95`. */
export function readWorldView(query: string, say: Say = UNSAID): WorldView {
  return readFields(FIELDS, query, say);
}

/** The query of a view. `readWorldView` reads it. What follows from the populations is left out. */
export function worldQuery(view: WorldView): string {
  const all = writeFields(FIELDS, view);
  const bare = readWorldView(
    writeFields(FIELDS, view, ['gender', 'age', 'clothing', 'measurement']),
  );
  const names = ['gender', 'age', 'clothing'] as const;
  const ignored = names.filter((name) => bare[name] === view[name]);
  return ignored.length === 0 ? all : writeFields(FIELDS, view, ignored);
}

/** Codes of all countries of the shown population, which the screen marks. */
export function markedCountries({ populations, shown }: WorldView): ReadonlySet<string> {
  const places = populations[shown - 1]?.countries ?? [];
  return new Set(places.flatMap((place): readonly string[] => membersOfSet(place) ?? [place]));
}

/** The address of the screen. */
export const WORLD_ADDRESS: ScreenAddress<WorldView> = {
  path: SCREEN_PATHS.world,
  read: readWorldView,
  query: worldQuery,
  title: ({ measurement }) => `${inWords(measurement)} in all countries`,
};

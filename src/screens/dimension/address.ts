import { GENDERS } from '../../core/genders.js';
import { AGE_LIMITS, COUNTRIES_LIMITS } from '../../core/limits.js';
import { isMass, unitFor, unitsOf } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import {
  anyNumber,
  choice,
  type Field,
  number,
  parameter,
  readField,
  readFields,
  type Say,
  type ScreenAddress,
  text,
  UNSAID,
  unless,
  type ViewOf,
  writeFields,
} from '../shared/address-fields.js';
import { people } from '../shared/names.js';
import {
  type ChosenPopulation,
  clothingOf,
  DEFAULT_POPULATIONS,
  middleAge,
  POPULATIONS,
  populationsQuery,
  SHOWN_POPULATION,
} from '../shared/populations.js';
import { codesOf } from '../shared/together.js';

/** The kinds of views of the Dimension screen. */
export const VIEW_KINDS = ['distribution', 'ages', 'countries', 'connected'] as const;

/** One kind of view. */
export type ViewKind = (typeof VIEW_KINDS)[number];

/** A person on the chart of ages. */
export interface AgePoint {
  readonly ageYears: number;
  /** In mm, kg or kg/m². */
  readonly value: number;
}

/** Maximum number of people in the chart of ages. */
export const AGE_POINTS_MAX = 20;

/** Ages from and to which a chart is drawn. */
export type AgeRange = readonly [fromYears: number, toYears: number];

const ALL_AGES: AgeRange = [AGE_LIMITS.minimum, AGE_LIMITS.maximum];

/** The people that an address without any stands for. */
const PERSON: ShownPeople = { gender: 'Female', age: 30, countries: ['US'], clothing: 'nude' };
const [MEASUREMENT, LINKED] = ['Stature', 'SittingHeight'] as const;

/** The unit in which the API answers for a view in `unit`. An unknown name is passed on, and the API refuses it. */
export function apiUnit(unit: string): string {
  return unit === 'ft-in' ? 'in' : unit;
}

/** Range of positive values. The operation checks whether a value is possible for people. */
const VALUES = { min: 0.001, max: 1e6 } as const;
/** An age, which the operation checks. */
const AGE = anyNumber('age', 'age', PERSON.age, true);

/** Parameters that describe the people of this screen. Addresses without `p` have only these. */
const OF_PEOPLE = ['gender', 'age', 'country', 'clothing'] as const;
const ADULTS = { ageMin: 18, ageMax: 65 } as const;

const countriesIn = (params: URLSearchParams): readonly string[] =>
  params.getAll('country').flatMap((codes) => codes.split(','));

/** The populations of an address. Without `p`, people of the one age in the address are the population. */
function populationsOf(params: URLSearchParams, say: Say): readonly ChosenPopulation[] {
  if (params.has('p')) return POPULATIONS.read(params, say);
  if (!OF_PEOPLE.some((name) => params.has(name))) return DEFAULT_POPULATIONS;
  const gender = params.get('gender') ?? PERSON.gender;
  const countries = countriesIn(params);
  const age = Math.floor(AGE.read(params, UNSAID));
  const isAge = age >= AGE_LIMITS.minimum && age <= AGE_LIMITS.maximum;
  const population = {
    gender: GENDERS.find((name) => name === gender),
    countries: countries.length === 0 ? PERSON.countries : countries,
    ...(isAge ? { ageMin: age, ageMax: age } : ADULTS),
    clothing: params.get('clothing') ?? undefined,
  };
  return [population];
}

/** The people that the screen shows of the chosen population. */
function ofPopulation(params: URLSearchParams): ShownPeople {
  const populations = populationsOf(params, UNSAID);
  const shown = populations[SHOWN_POPULATION.read(params, UNSAID) - 1] ?? populations[0];
  return shown === undefined ? PERSON : shownPeople(shown, PERSON);
}

/** Units that an address without a unit stands for. */
const UNWRITTEN_UNITS: readonly string[] = [MEASUREMENT, 'BodyMass', 'BMI'].map(
  (name) => unitsOf(name)[0] as string,
);

const FIELDS = {
  /** The populations of all screens, and the number of the shown one, from 1. `queryOf` writes both. */
  populations: { read: populationsOf, write: () => [] } as Field<readonly ChosenPopulation[]>,
  shown: { read: SHOWN_POPULATION.read, write: () => [] } as Field<number>,
  kind: choice<ViewKind>('view', 'view', VIEW_KINDS, 'distribution'),
  measurement: text('measurement', MEASUREMENT, true),
  /** The second dimension of a connected range. */
  linked: {
    read(params) {
      const other = (params.get('measurement') ?? MEASUREMENT) === LINKED ? MEASUREMENT : LINKED;
      return params.get('linked') ?? other;
    },
    write: (linked) => [parameter('linked', linked)],
  } as Field<string>,
  /** Share of people the connected range covers, in percent. */
  cover: anyNumber('cover', 'share that the range covers', 90),
  gender: {
    read: (params) => params.get('gender') ?? ofPopulation(params).gender,
    write: (gender) => [parameter('gender', gender)],
  } as Field<string>,
  age: {
    read: (params, say) => (params.has('age') ? AGE.read(params, say) : ofPopulation(params).age),
    write: AGE.write,
  } as Field<number>,
  countries: {
    read(params) {
      const given = countriesIn(params);
      return given.length === 0 ? ofPopulation(params).countries : given;
    },
    write: (countries) => [parameter('country', countries.join())],
  } as Field<readonly string[]>,
  clothing: {
    read: (params) => params.get('clothing') ?? ofPopulation(params).clothing,
    write: (clothing) => unless('clothing', clothing, PERSON.clothing),
  } as Field<string>,
  posture: text('posture', 'standing_erect'),
  /**
   * A unit of the API, or `ft-in` for feet and inches. For `ft-in`, the API answers in inches. Body mass and BMI have
   * units of their own.
   */
  unit: {
    read: (params) => unitFor(params.get('measurement') ?? MEASUREMENT, params.get('unit') ?? 'mm'),
    write: (unit) => (UNWRITTEN_UNITS.includes(unit) ? [] : [parameter('unit', unit)]),
  } as Field<string>,
  /** A value in `apiUnit(unit)`. If it is given, the view shows its percentile and ignores `percentile`. */
  value: number('value', 'value', VALUES),
  percentile: anyNumber('percentile', 'percentile', 50, true),
  /** The ages that the chart of ages shows. */
  ages: {
    read: (params) => readAges(params.get('ages')),
    write: (ages) => unless('ages', ages.join('-'), ALL_AGES.join('-')),
  } as Field<AgeRange>,
  /** People in the chart of ages. */
  points: {
    read: (params) => readPoints(params.get('points')),
    write(points) {
      const texts = points.map(({ ageYears, value }) => `${ageYears}:${value}`);
      return texts.length === 0 ? [] : [parameter('points', texts.join())];
    },
  } as Field<readonly AgePoint[]>,
};

/**
 * A view of the Dimension screen, as read from its address. The browser and the server share this type. The validator of
 * the operation checks names and numbers.
 */
export type DimensionView = ViewOf<typeof FIELDS>;

/** Reads ages such as `0-20`. Any other text gives all ages. */
function readAges(text: string | null): AgeRange {
  const [from = Number.NaN, to = Number.NaN] = (text ?? '').split('-').map(Number);
  const known = from >= AGE_LIMITS.minimum && to <= AGE_LIMITS.maximum && from < to;
  return known ? [from, to] : ALL_AGES;
}

/** Reads people such as `8.5:1300,9:1352`, with ages in years and values in mm, kg or kg/m². Invalid pairs are left out. */
function readPoints(text: string | null): AgePoint[] {
  const points = (text ?? '').split(',').map((pair) => {
    const [ageYears = Number.NaN, value = Number.NaN] = pair.split(':').map(Number);
    return { ageYears, value };
  });
  const isKnown = ({ ageYears, value }: AgePoint) =>
    ageYears >= AGE_LIMITS.minimum &&
    ageYears <= AGE_LIMITS.maximum &&
    value > 0 &&
    value <= VALUES.max;
  return points.filter(isKnown).slice(0, AGE_POINTS_MAX);
}

/** Fields that a view of a kind ignores. */
function ignoredFields({ kind, value }: DimensionView): readonly (keyof DimensionView)[] {
  const isLookup = kind === 'distribution' && value !== undefined;
  return [
    ...(kind === 'connected' ? [] : (['linked', 'cover'] as const)),
    ...(kind === 'ages' ? [] : (['ages', 'points'] as const)),
    isLookup ? 'percentile' : 'value',
  ];
}

/**
 * The change to another kind. A chosen value is replaced by its percentile. Two measurements are lengths, so body mass
 * and BMI are replaced by the default measurement.
 */
export function asKind(
  view: DimensionView,
  kind: ViewKind,
  percentile = view.percentile,
): Partial<DimensionView> {
  if (kind === view.kind) return {};
  const lengths = { measurement: MEASUREMENT, linked: LINKED, unit: 'mm' };
  return {
    kind,
    ...(view.value === undefined ? {} : { value: undefined, percentile }),
    ...(kind === 'connected' && isMass(view.measurement) ? lengths : {}),
  };
}

/**
 * The canonical query of a view, without defaults and without values that its kind ignores. Populations that
 * follow from the people are left out.
 */
function queryOf(view: DimensionView): string {
  const people = writeFields(FIELDS, view, ignoredFields(view));
  const populations = populationsQuery(view.populations);
  const following = readField(FIELDS.populations, people);
  if (populations === populationsQuery(following)) return people;
  return [people, populations, ...SHOWN_POPULATION.write(view.shown)].join('&');
}

/** The query of the chart data of a view. It lacks the parts that only change the picture in the browser. */
function dataQueryOf(view: DimensionView): string {
  const drawn = { ...view, ages: ALL_AGES, points: [], unit: apiUnit(view.unit) };
  const marks = view.kind === 'countries' ? (['countries'] as const) : [];
  return writeFields<DimensionView>(FIELDS, drawn, [...ignoredFields(drawn), ...marks]);
}

/** Codes of all countries of the shown population, which the map of all countries marks. */
export function markedCountries({
  populations,
  shown,
}: Pick<ShownPopulation, 'populations' | 'shown'>): ReadonlySet<string> {
  return new Set(codesOf(populations[shown - 1] ?? { countries: [] }));
}

/** The query for the picture of a measurement on a person. */
export function figureQuery(
  view: Pick<DimensionView, 'measurement' | 'gender' | 'age' | 'countries'>,
): string {
  const { measurement, gender, age, countries } = FIELDS;
  return writeFields({ measurement, gender, age, countries }, view);
}

/** The address of the screen. */
export const DIMENSION_ADDRESS = {
  path: SCREEN_PATHS.dimension,
  read: (query: string, say: Say = UNSAID): DimensionView => readFields(FIELDS, query, say),
  query: queryOf,
  dataQuery: dataQueryOf,
  title: ({ measurement, kind }: DimensionView) =>
    `${inWords(measurement)}${kind === 'countries' ? ' in all countries' : ', explore'}`,
} satisfies ScreenAddress<DimensionView>;

/** The people of a population that the screen shows. */
export interface ShownPeople {
  readonly gender: string;
  /** Completed. */
  readonly age: number;
  /** The exact point belongs to the first country. The other countries are compared with it. */
  readonly countries: readonly string[];
  readonly clothing: string;
}

/** The populations of a view, and the people that the view shows of one population. */
export interface ShownPopulation extends ShownPeople {
  /** The populations of all screens. */
  readonly populations: readonly ChosenPopulation[];
  /** Number of the shown population, from 1. */
  readonly shown: number;
  /** A chosen length of the first country. */
  readonly value?: number | undefined;
}

/**
 * The people to show of a population: one gender, at most ten countries, and one age. They stay as near as
 * possible to the people shown before.
 */
export function shownPeople(
  population: ChosenPopulation,
  before: Pick<ShownPeople, 'gender' | 'age'>,
): ShownPeople {
  const { gender, ageMin, ageMax } = population;
  const isInside = before.age >= ageMin && before.age < ageMax + 1;
  return {
    gender: gender ?? before.gender,
    age: isInside ? before.age : middleAge({ ageMin, ageMax }),
    countries: [...new Set(codesOf(population))].slice(0, COUNTRIES_LIMITS.maxItems),
    clothing: clothingOf(population),
  };
}

/** Shows the population with this number: returns the change of the view. */
export function shownPopulation(
  view: ShownPopulation,
  populations: readonly ChosenPopulation[],
  number: number,
): Partial<ShownPopulation> {
  const shown = populations[number - 1] === undefined ? 1 : number;
  const people = shownPeople(populations[shown - 1] as ChosenPopulation, view);
  // The chosen length belongs to the first country.
  const isSame = people.countries[0] === view.countries[0];
  return { populations, shown, ...people, ...(isSame ? {} : { value: undefined }) };
}

/**
 * Applies a change of the shown people to their population, too. The ages of the population stay, because the
 * screen shows only one age. If the population has a single age, this age follows the change.
 */
export function withPopulation<Change extends Partial<ShownPopulation>>(
  { populations, shown }: Pick<ShownPopulation, 'populations' | 'shown'>,
  change: Change,
): Change {
  const was = populations[shown - 1];
  if (was === undefined) return change;
  const { gender, age, countries } = change;
  const moves = age !== undefined && age >= AGE_LIMITS.minimum && was.ageMin === was.ageMax;
  const next: ChosenPopulation = {
    ...was,
    ...(gender === undefined ? {} : { gender: GENDERS.find((name) => name === gender) }),
    ...(countries === undefined ? {} : { countries }),
    ...(moves ? { ageMin: Math.floor(age), ageMax: Math.floor(age) } : {}),
  };
  if (JSON.stringify(next) === JSON.stringify(was)) return change;
  // The changed population gets no name, because the old name stands for other people.
  const { name: _, ...unnamed } = next;
  return {
    ...change,
    populations: populations.map((one, at) => (at === shown - 1 ? unnamed : one)),
  };
}

/** A sentence that says which people of a population the screen shows. */
export function shownText(view: ShownPopulation): string {
  const { gender, age, countries } = view;
  const codes = markedCountries(view);
  const some =
    codes.size > countries.length ? ` of ${countries.length} of its ${codes.size} countries` : '';
  return `Shown: ${people(gender, age)} of ${age} years${some}. Mark a population to show its people.`;
}

import { GENDERS } from '../../core/genders.js';
import { PERSON_PERCENT_LIMITS, SEED_LIMITS, TARGET_SHARE_LIMITS } from '../../core/limits.js';
import { inWords } from '../../site/labels.js';
import { SHOWN_UNITS } from '../../site/lengths.js';
import { BODY_DOWNLOAD_PATH, SCREEN_PATHS } from '../../site/paths.js';
import {
  type AskedFile,
  choice,
  type Field,
  formatAddress,
  list,
  number,
  numberIn,
  readFields,
  type Say,
  type ScreenAddress,
  screenAddress,
  text,
  UNSAID,
  unlessDefault,
  type ViewOf,
} from '../shared/address-fields.js';
import { dimensions, isDimension } from '../shared/dimension-fields.js';
import {
  type ChosenPopulation,
  middleAge,
  POPULATIONS,
  populationsLabel,
  SHOWN_POPULATION,
} from '../shared/populations.js';

/** The possible origins of the person of a view. */
export const PERSON_SOURCES = ['values', 'sample', 'case'] as const;
/** Where a person comes from: known values, a random draw, or the boundary of a share of the people. */
export type PersonSource = (typeof PERSON_SOURCES)[number];

/** A known value of a person: a length in mm, a mass in kg, or a percentile. */
export interface KnownValue {
  readonly measurement: string;
  readonly value?: number;
  readonly percentile?: number;
}

/** Ages of people on the screen, completed or exact. */
export const BODY_AGE_RANGE = { min: 0, max: 100.99 } as const;
/** Completed age from which there are bodies to turn around, and files of them. */
export const FILES_FROM_YEARS = 1;
/** Values that can be known of a person. */
export const KNOWN_MAX = 6;
/** Boundary cases of a view. */
export const CASES = 8;
/** Dimensions that boundary cases can differ in. */
export const CASE_DIMENSIONS = { least: 2, most: 6 } as const;
/** Percentiles of known values. */
export const KNOWN_PERCENTS = {
  min: PERSON_PERCENT_LIMITS.minimum,
  max: PERSON_PERCENT_LIMITS.maximum,
} as const;
const LENGTH_RANGE = { min: 0.1, max: 3000, unit: ' mm' } as const;
const MASS_RANGE = { min: 0.1, max: 500, unit: ' kg' } as const;

const DEFAULT_CASE: readonly string[] = ['Stature', 'SittingHeight', 'HipCircumferenceMax'];

/** What makes a completed person one of the shown population where it is left out. */
const OF_KIND = {
  gender: choice('gender', 'gender', GENDERS),
  ageYears: number('age', 'age', { ...BODY_AGE_RANGE, unit: ' years' }),
  country: text('country', ''),
};

/** Populations that follow from the person of an address, which does not repeat them. */
const following = new WeakSet<readonly ChosenPopulation[]>();

/** The populations of an address. Without `p`, people like its person are the population. */
function populationsOf(params: URLSearchParams, say: Say): readonly ChosenPopulation[] {
  const populations = POPULATIONS.read(params, say);
  const own = readFields(OF_KIND, String(params), UNSAID);
  const isOwn = own.gender !== undefined || own.ageYears !== undefined || own.country !== '';
  if (params.has('p') || !isOwn) return populations;
  const { gender, age, country } = kindOf({ ...own, populations, shown: 1 });
  const ageYears = Math.floor(age);
  const like = [{ gender, countries: [country], ageMin: ageYears, ageMax: ageYears }];
  following.add(like);
  return like;
}

const FIELDS = {
  from: choice('from', 'kind of person', PERSON_SOURCES, 'values'),
  populations: {
    read: populationsOf,
    write: (all) => (following.has(all) ? [] : unlessDefault(POPULATIONS).write(all)),
  } as Field<readonly ChosenPopulation[]>,
  shown: SHOWN_POPULATION,
  ...OF_KIND,
  /** Of a completed person; the median person without any. */
  known: list<KnownValue>('known', 'known values', KNOWN_MAX, [], {
    ...{ read: readKnown, write: knownText },
  }),
  /** Of a sampled person. */
  seed: number('seed', 'number of the person', {
    ...{ min: 1, max: SEED_LIMITS.maximum, otherwise: 1 },
  }),
  /** For a boundary person: the dimensions of the design, the share of the people, and the number of the case. */
  measurements: dimensions('d', 'measurements of cases', DEFAULT_CASE, CASE_DIMENSIONS.most),
  targetPercent: number('target', 'share to design for', {
    min: TARGET_SHARE_LIMITS.minimum * 100,
    max: TARGET_SHARE_LIMITS.maximum * 100,
    ...{ otherwise: 90, unit: ' %' },
  }),
  caseNumber: number('case', 'case', { min: 1, max: CASES, otherwise: 1 }),
  pose: choice('pose', 'pose', ['standing', 'sitting'], 'standing'),
  /** Dimensions drawn on the body. If empty, the usual dimensions of the pose. */
  marked: dimensions('m', 'measurements', []),
  unit: choice('unit', 'unit', SHOWN_UNITS, 'mm'),
};

/** The view of the Person screen. */
export type PersonView = ViewOf<typeof FIELDS>;

function readKnown(given: string, say: Say): KnownValue | undefined {
  const [measurement = '', value = ''] = given.split('~');
  if (!isDimension(measurement, say)) return undefined;
  const isPercentile = /^p/i.test(value);
  const own = measurement === 'BodyMass' ? MASS_RANGE : LENGTH_RANGE;
  const range = isPercentile ? { ...KNOWN_PERCENTS, otherwise: 50 } : own;
  const what = `${isPercentile ? 'percentile' : 'value'} of ${inWords(measurement).toLowerCase()}`;
  const found = numberIn(value.replace(/^p/i, ''), what, range, say);
  if (found === undefined) return isPercentile ? { measurement, percentile: 50 } : undefined;
  return isPercentile ? { measurement, percentile: found } : { measurement, value: found };
}

function knownText({ measurement, value, percentile }: KnownValue): string {
  return `${measurement}~${value ?? `P${percentile}`}`;
}

/** What makes a completed person one of the shown population. */
export const OF_POPULATION = { gender: undefined, ageYears: undefined, country: '' } as const;

/** Number of the population of which a completed person is; 0 if none has the person's gender, age and country. */
export function populationOfPerson(view: PersonView): number {
  const { gender, age, country } = kindOf(view);
  const of = view.populations[view.shown - 1] ?? { countries: [], ageMin: 0, ageMax: 0 };
  const isOfAge = view.ageYears === undefined || (age >= of.ageMin && age < of.ageMax + 1);
  const isMember = isOfAge && of.countries.includes(country);
  return isMember && gender === (of.gender ?? gender) ? view.shown : 0;
}

/** What the populations of a view have to do with its person. */
export function membersText(view: PersonView): string {
  if (view.from !== 'values') return 'The person is a member of these populations.';
  return populationOfPerson(view) > 0
    ? 'Shown: a person of the marked population.'
    : 'Shown: a person of their own gender, age and country. Mark a population to show one of its people.';
}

/** Gender, completed age and country of a completed person. The shown population supplies missing fields. */
export function kindOf(
  view: Pick<PersonView, 'populations' | 'shown' | 'gender' | 'ageYears' | 'country'>,
) {
  const { populations, shown, gender, ageYears, country } = view;
  const population = populations[shown - 1] ?? populations[0];
  const middle = middleAge(population ?? { ageMin: 41, ageMax: 41 });
  return {
    gender: gender ?? population?.gender ?? 'Female',
    age: ageYears ?? Math.min(Math.floor(BODY_AGE_RANGE.max), middle),
    country: country === '' ? (population?.countries[0] ?? 'US') : country,
  };
}

/** Title of a view, such as `A person drawn at random from Women, US, 18–65`. */
export function personTitle(view: PersonView): string {
  const who = populationsLabel(view.populations);
  if (view.from === 'sample') return `Person ${view.seed} drawn at random from ${who}`;
  if (view.from === 'case') return `Boundary person ${view.caseNumber} of ${who}`;
  const { gender, age, country } = kindOf(view);
  return `Person: ${gender === 'Female' ? 'female' : 'male'}, ${age} years, ${country}`;
}

/**
 * The address of the screen, such as `gender=Male&age=40&country=NL&known=Stature~1985&known=BodyMass~P50&pose=sitting`,
 * `from=sample&p=Both~KR~18-65&seed=7` or `from=case&p=Both~US~18-65&d=Stature,SittingHeight&case=3`.
 */
export const PERSON_ADDRESS: ScreenAddress<PersonView> = screenAddress({
  path: SCREEN_PATHS.person,
  fields: FIELDS,
  drawn: ['unit', 'marked'],
  title: personTitle,
  // Values that a visitor knows may be those of the visitor's own body.
  isOwn: ({ from, known }) => from === 'values' && known.length > 0,
});

/** Formats of downloaded bodies. */
export const BODY_FORMATS = ['glb', 'stl', 'obj', 'dxf'] as const;
/** A person, and the file format that the user asks for. */
export type AskedBody = AskedFile<PersonView, (typeof BODY_FORMATS)[number]>;

/** The address of the page that downloads a body: the address of the person, and the format. */
export const DOWNLOAD_ADDRESS = formatAddress(BODY_DOWNLOAD_PATH, PERSON_ADDRESS, BODY_FORMATS);

import Type, { type Static } from 'typebox';
import { COUNTRY_CODES, type CountryCode } from '../core/countries.js';
import { membersOfSet, SET_NAMES } from '../core/country-sets.js';
import { GENDERS, type Gender } from '../core/genders.js';
import {
  AGE_LIMITS,
  FAULTS_LISTED_MAX,
  GROUPS_LIMITS,
  HEAD_COUNT_YEAR,
  KEEP_LIMITS,
  PERSON_PERCENT_LIMITS,
  QUANTITY_LIMITS,
  YEAR_LIMITS,
} from '../core/limits.js';
import type { FoundFault } from './faults.js';
import { answerFields, bodyMeasurementField, oneOf } from './fields.js';
import { nearestName } from './nearest-name.js';

/** A limit of a range in the unit of its measurement. */
export const limitField = (description: string) =>
  Type.Optional(Type.Number({ ...QUANTITY_LIMITS, description }));

/** A percentile of people, also of rare ones. */
export const rarePercentField = (description: string) =>
  Type.Number({ ...PERSON_PERCENT_LIMITS, description });

const group = Type.Object(
  {
    countries: Type.Array(Type.String({ maxLength: 80 }), {
      minItems: 1,
      maxItems: COUNTRY_CODES.length,
      description: 'Country codes, or sets of the catalog such as World, EU27 or OECD.',
    }),
    gender: Type.Optional(
      oneOf<Gender>(GENDERS, { description: 'Both by head count if omitted.' }),
    ),
    ageMin: Type.Integer({ ...AGE_LIMITS, description: 'Youngest completed age in years.' }),
    ageMax: Type.Integer({ ...AGE_LIMITS, description: 'Oldest completed age in years.' }),
    share: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of the group, in all groups or in none; by head count if omitted.',
      }),
    ),
  },
  { additionalProperties: false },
);

const condition = Type.Object(
  {
    measurement: bodyMeasurementField('Measurement that decides who belongs to the population.'),
    min: limitField('Least value.'),
    max: limitField('Largest value.'),
  },
  { additionalProperties: false },
);

/** The people of a request. */
export const populationField = Type.Object(
  {
    groups: Type.Array(group, { ...GROUPS_LIMITS, description: 'Groups of people.' }),
    keep: Type.Optional(
      Type.Array(condition, {
        ...KEEP_LIMITS,
        description: 'Conditions that the people meet, nude and erect, such as a least stature.',
      }),
    ),
    year: Type.Optional(
      Type.Integer({
        ...YEAR_LIMITS,
        description: `Year of the bodies; head counts stay those of ${HEAD_COUNT_YEAR}.`,
      }),
    ),
  },
  { additionalProperties: false, description: 'The people that the question is about.' },
);

/** A population as requested. */
export type PopulationInput = Static<typeof populationField>;

/** A population that its conditions empty, for the refusals of the documentation. */
export const EMPTY_POPULATION: PopulationInput = {
  groups: [{ countries: ['LU'], ageMin: 20, ageMax: 60 }],
  keep: [{ measurement: 'Stature', min: 2300 }],
};

/** A population that costs much computing, for the refusals of the documentation. */
export const LARGEST_POPULATION: PopulationInput = {
  groups: [{ countries: ['World'], ageMin: 18, ageMax: 120 }],
  year: 2035,
};

/** The head count behind an answer. */
export const peopleFields = {
  people: answerFields.number('Head count of the population.'),
  headCountYear: Type.Optional(
    answerFields.number('Year of the head counts, where the bodies are of another year.'),
  ),
};

/** Units in an answer. */
export const unitFields = {
  unit: answerFields.unit('Unit of lengths.'),
  massUnit: answerFields.massUnit('Unit of body mass.'),
};

/** Groups in an answer: as asked, with head count and share. */
export const groupFields = {
  countries: Type.Array(Type.String(), { description: 'Countries asked for.' }),
  gender: Type.Optional(answerFields.gender('Gender asked for.')),
  ageMin: answerFields.number('Youngest completed age.'),
  ageMax: answerFields.number('Oldest completed age.'),
  people: answerFields.number(`Head count of ${HEAD_COUNT_YEAR}, after \`keep\`.`),
  share: answerFields.number('Share of the population, 0 to 1, before `keep`.'),
};

/** How far shares may miss the sum of 1. */
const SHARE_TOLERANCE = 1e-6;

/** What may stand in `countries`. */
const PLACES: readonly string[] = [...SET_NAMES, ...COUNTRY_CODES];

/** For the thousands of names that a request may have. */
const KNOWN_CODES: ReadonlySet<string> = new Set(COUNTRY_CODES);

/** The country codes that a name stands for; undefined for an unknown name. */
export function countriesOf(name: string): readonly CountryCode[] | undefined {
  if (KNOWN_CODES.has(name)) return [name as CountryCode];
  return membersOfSet(name);
}

/** The fault of a name that is neither a country nor a set of countries. */
export function countryFault(name: string, field: string, pointer: string): FoundFault {
  const message = () => {
    const near = nearestName(name, PLACES);
    const meant = near === undefined ? '' : ` Did you mean ${near}?`;
    return `${JSON.stringify(name)} is neither a country code nor a set of countries (${field}); GET / lists both.${meant}`;
  };
  return { pointer, message };
}

/** A fault that is only counted. */
const NOT_LISTED: FoundFault = { pointer: '', message: '' };

/** Faults of a population that its schema cannot state. */
export function populationFaults({ groups, keep = [] }: PopulationInput): FoundFault[] {
  const faults: FoundFault[] = [];
  const add = (at: string, message: string): void => {
    faults.push({ pointer: `/population${at}`, message });
  };
  groups.forEach(({ countries, ageMin, ageMax }, g) => {
    const path = `groups[${g}]`;
    countries.forEach((name, i) => {
      if (countriesOf(name) !== undefined) return;
      // There may be thousands.
      if (faults.length >= FAULTS_LISTED_MAX) {
        faults.push(NOT_LISTED);
        return;
      }
      const pointer = `/population/groups/${g}/countries/${i}`;
      faults.push(countryFault(name, `population.${path}.countries[${i}]`, pointer));
    });
    if (ageMin > ageMax) {
      add(`/groups/${g}/ageMin`, `population.${path}.ageMin must be at most ageMax, ${ageMax}.`);
    }
  });
  faults.push(...shareFaults(groups));
  keep.forEach(({ min, max }, k) => {
    faults.push(...rangeFaults(`/population/keep/${k}`, `population.keep[${k}]`, min, max));
  });
  return faults;
}

function shareFaults(groups: PopulationInput['groups']): FoundFault[] {
  const given = groups.filter(({ share }) => share !== undefined);
  if (given.length === 0) return [];
  const pointer = '/population/groups';
  if (given.length < groups.length) {
    const message = `share must be given for all groups or for none; ${given.length} of ${groups.length} have it.`;
    return [{ pointer, message }];
  }
  const sum = given.reduce((total, { share = 0 }) => total + share, 0);
  if (Math.abs(sum - 1) <= SHARE_TOLERANCE) return [];
  return [
    { pointer, message: `The shares of the groups must sum to 1, not ${Number(sum.toFixed(9))}.` },
  ];
}

/** Faults of a range: it needs an end, and the ends in order. */
export function rangeFaults(
  pointer: string,
  name: string,
  min: number | undefined,
  max: number | undefined,
): FoundFault[] {
  if (min === undefined && max === undefined) {
    return [{ pointer, message: `${name} needs min, max or both.` }];
  }
  if (min !== undefined && max !== undefined && min >= max) {
    return [{ pointer: `${pointer}/min`, message: `${name}.min must be less than max, ${max}.` }];
  }
  return [];
}

/** Faults of entries that name a measurement twice. */
export function repeatedMeasurements(
  field: string,
  entries: readonly { readonly measurement: string }[],
): FoundFault[] {
  return entries.flatMap(({ measurement }, i) => {
    const first = entries.findIndex((entry) => entry.measurement === measurement);
    if (first === i) return [];
    const message = `${field}[${i}] names ${measurement} again; ${field}[${first}] has it already. Leave one of them out.`;
    return [{ pointer: `/${field}/${i}/measurement`, message }];
  });
}

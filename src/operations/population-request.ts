import Type, { type Static } from 'typebox';
import { COUNTRY_CODES, type CountryCode } from '../core/countries.js';
import { membersOfSet, SET_NAMES } from '../core/country-sets.js';
import { fault, field, Problem, refusalOf, type Sentence, said, wrong } from '../core/errors.js';
import { GENDERS, type Gender } from '../core/genders.js';
import {
  AGE_LIMITS,
  FAULTS_LISTED_MAX,
  GROUPS_LIMITS,
  HEAD_COUNT_YEAR,
  KEEP_LIMITS,
  KEPT_SHARE_MIN,
  PEOPLE_MIN,
  PERSON_PERCENT_LIMITS,
  POPULATION_BODY_BYTES_MAX,
  QUANTITY_LIMITS,
  YEAR_LIMITS,
} from '../core/limits.js';
import {
  CLOTHING_AGE_MIN,
  CLOTHING_IDS,
  type ClothingId,
  POSTURE_IDS,
  type PostureId,
  tooYoungText,
} from '../core/profiles.js';
import {
  fromKg,
  fromMm,
  KG_PER_UNIT,
  type MassUnit,
  roundBmi,
  roundShare,
  toMm,
  type Unit,
} from '../core/units.js';
import { Distributions, mixtureOf } from '../population/distribution.js';
import type { JointPeople } from '../population/joint.js';
import { type KeptPeople, keptPeople, type Limit } from '../population/limits.js';
import {
  type Cohort,
  type Market,
  NUDE,
  type PeopleModel,
  type Profiles,
  resolveMarket,
  sumOver,
  type WeightedCohorts,
} from '../population/people-model.js';
import type { FoundFault } from './faults.js';
import { answerFields, closedObject, DEFAULTS, oneOf, requestFields } from './fields.js';
import { otherUnitOf } from './likely-unit.js';
import { nameHint } from './nearest-name.js';
import type { PredictionModel } from './prediction-model.js';

/** A limit of a range in the unit of its measurement. */
export const limitField = (description: string) =>
  Type.Optional(Type.Number({ ...QUANTITY_LIMITS, description }));

/** A percentile of people, also of rare ones. */
export const rarePercentField = (description: string) =>
  Type.Number({ ...PERSON_PERCENT_LIMITS, description });

const group = closedObject({
  countries: Type.Array(Type.String({ maxLength: 80 }), {
    minItems: 1,
    maxItems: COUNTRY_CODES.length,
    description: 'Country codes, or sets of the catalog such as World, Europe or EU27.',
  }),
  gender: Type.Optional(oneOf<Gender>(GENDERS, { description: 'Both by head count if omitted.' })),
  ageMin: Type.Integer({ ...AGE_LIMITS, description: 'Youngest completed age in years.' }),
  ageMax: Type.Integer({ ...AGE_LIMITS, description: 'Oldest completed age in years.' }),
  share: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of the group, in all groups or in none; by head count if omitted.',
    }),
  ),
});

const condition = closedObject({
  measurement: requestFields.bodyMeasurement(
    'Measurement that decides who belongs to the population.',
  ),
  min: limitField('Least value.'),
  max: limitField('Largest value.'),
});

/** The people of a request. */
export const populationField = closedObject(
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
  { description: 'The people that the question is about.' },
);

/** Fields of all operations on people. */
export const ON_PEOPLE = { computed: true, bodyBytesMax: POPULATION_BODY_BYTES_MAX } as const;

/** A population as requested. */
export type PopulationInput = Static<typeof populationField>;

/** A population in which nobody meets the conditions, for the refusals in the documentation. */
export const EMPTY_POPULATION: PopulationInput = {
  groups: [{ countries: ['LU'], ageMin: 20, ageMax: 60 }],
  keep: [{ measurement: 'Stature', min: 2300 }],
};

/** A population that needs much computing, for the refusals in the documentation. */
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

/** Groups in an answer, as asked for, with head count and share. */
export const groupFields = {
  countries: Type.Array(Type.String(), { description: 'Countries asked for.' }),
  gender: Type.Optional(answerFields.gender('Gender asked for.')),
  ageMin: answerFields.number('Youngest completed age.'),
  ageMax: answerFields.number('Oldest completed age.'),
  people: answerFields.number(`Head count of ${HEAD_COUNT_YEAR}, after \`keep\`.`),
  share: answerFields.number('Share of the population, 0 to 1, before `keep`.'),
};

/** Maximum deviation of the sum of the shares from 1. */
const SHARE_TOLERANCE = 1e-6;

/** The names that `countries` may contain. */
const PLACES: readonly string[] = [...SET_NAMES, ...COUNTRY_CODES];

/** A set, because a request may have thousands of names. */
const KNOWN_CODES: ReadonlySet<string> = new Set(COUNTRY_CODES);

/** The country codes of a country or of a set of countries; undefined for an unknown name. */
export function countriesOf(name: string): readonly CountryCode[] | undefined {
  if (KNOWN_CODES.has(name)) return [name as CountryCode];
  return membersOfSet(name);
}

/** The fault of a name that is neither a country nor a set of countries. */
export function countryFault(name: string, pointer: string): FoundFault {
  const sentence = () => {
    const hint = nameHint(name, PLACES);
    return said`${JSON.stringify(name)} is neither a country code nor a set of countries (${field(pointer)}); ${said`GET / lists both`}.${hint === undefined ? '' : ` ${hint}`}`;
  };
  return { pointer, sentence };
}

/** A fault that is only counted. */
const NOT_LISTED: FoundFault = fault('')``;

/** Faults of a population that its schema cannot state. */
export function populationFaults({ groups, keep = [] }: PopulationInput): FoundFault[] {
  const faults: FoundFault[] = [];
  groups.forEach(({ countries, ageMin, ageMax }, g) => {
    const group = `/population/groups/${g}`;
    countries.forEach((name, i) => {
      if (countriesOf(name) !== undefined) return;
      // There may be thousands.
      if (faults.length >= FAULTS_LISTED_MAX) {
        faults.push(NOT_LISTED);
        return;
      }
      faults.push(countryFault(name, `${group}/countries/${i}`));
    });
    if (ageMin > ageMax) {
      const oldest = field(`${group}/ageMax`, 'ageMax');
      faults.push(wrong(`${group}/ageMin`)`must be at most ${oldest}, ${ageMax}.`);
    }
  });
  faults.push(...shareFaults(groups));
  keep.forEach(({ min, max }, k) => {
    faults.push(...rangeFaults(`/population/keep/${k}`, min, max));
  });
  return faults;
}

function shareFaults(groups: PopulationInput['groups']): FoundFault[] {
  const given = groups.filter(({ share }) => share !== undefined);
  if (given.length === 0) return [];
  const pointer = '/population/groups';
  if (given.length < groups.length) {
    const share = field(`${pointer}/0/share`, 'share');
    const at = fault(pointer);
    return [
      at`${share} must be given for all groups or for none; ${given.length} of ${groups.length} have it.`,
    ];
  }
  const sum = given.reduce((total, { share = 0 }) => total + share, 0);
  if (Math.abs(sum - 1) <= SHARE_TOLERANCE) return [];
  return [fault(pointer)`The shares of the groups must sum to 1, not ${Number(sum.toFixed(9))}.`];
}

/** Finds faults of a range. It needs at least one end, and its ends must be in order. */
export function rangeFaults(
  pointer: string,
  min: number | undefined,
  max: number | undefined,
  what = '',
): FoundFault[] {
  if (min === undefined && max === undefined) {
    return [wrong(pointer)`needs min, max or both.`];
  }
  if (min === undefined || max === undefined || min < max) return [];
  return [fault(`${pointer}/min`)`${field(pointer)}${what}.min must be less than max, ${max}.`];
}

/** The units of a request. */
export interface Units {
  readonly unit: Unit;
  readonly massUnit: MassUnit;
}

/** The units of a request, with the defaults of omitted fields. */
export function unitsOf(input: { unit?: Unit; massUnit?: MassUnit }): Units {
  return { unit: input.unit ?? DEFAULTS.unit, massUnit: input.massUnit ?? 'kg' };
}

/** Converts a value of a quantity from the request's unit to mm, kg or kg/m². */
export function fromRequest(joint: JointPeople, quantity: number, value: number, units: Units) {
  const { peopleModel } = joint;
  if (quantity < peopleModel.measurements) return toMm(value, units.unit);
  return quantity === peopleModel.mass ? value * KG_PER_UNIT[units.massUnit] : value;
}

/** Converts a value of a quantity from mm, kg or kg/m² to the unit of the answer, rounded to its step. */
export function toAnswer(joint: JointPeople, quantity: number, value: number, units: Units) {
  const { peopleModel } = joint;
  if (quantity < peopleModel.measurements) return fromMm(value, units.unit);
  return quantity === peopleModel.mass ? fromKg(value, units.massUnit) : roundBmi(value);
}

/** Unit of a measurement, of `BodyMass` or of `BMI`. */
export function unitOf(measurement: string, { unit, massUnit }: Units): string {
  if (measurement === 'BMI') return 'kg/m²';
  return measurement === 'BodyMass' ? massUnit : unit;
}

/**
 * Indices of the clothing and posture of a request.
 *
 * @throws Problem `model_not_found` if somebody in the cohorts is too young for the clothing
 */
export function dressOf(
  input: { clothing?: ClothingId; posture?: PostureId },
  { cohorts }: { readonly cohorts: readonly { readonly ageYears: number }[] },
): Profiles {
  const clothing = input.clothing ?? DEFAULTS.clothing;
  if (cohorts.some(({ ageYears }) => ageYears < CLOTHING_AGE_MIN[clothing])) {
    throw new Problem('model_not_found', tooYoungText(clothing));
  }
  return {
    clothing: CLOTHING_IDS.indexOf(clothing),
    posture: POSTURE_IDS.indexOf(input.posture ?? DEFAULTS.posture),
  };
}

/** The cohort of a person of a request, in the reference year. */
export function cohortOf(
  person: { readonly gender: Gender; readonly age: number; readonly country?: string },
  { views }: PeopleModel,
): Cohort {
  const { gender, age, country = DEFAULTS.country } = person;
  return {
    country: (COUNTRY_CODES as readonly string[]).indexOf(country),
    gender: GENDERS.indexOf(gender),
    ageYears: age,
    year: views.manifest.referenceYear,
  };
}

/** The fields of a request that name people, units and profiles. */
interface PeopleRequest {
  readonly population: PopulationInput;
  readonly unit?: Unit;
  readonly massUnit?: MassUnit;
  readonly clothing?: ClothingId;
  readonly posture?: PostureId;
}

/** The people of a request. */
export interface People {
  readonly joint: JointPeople;
  readonly peopleModel: PeopleModel;
  readonly units: Units;
  /** Clothing and posture of the people; see `dressOf`. */
  profilesOf(input: Pick<PeopleRequest, 'clothing' | 'posture'>): Profiles;
  /** Index of a measurement; see `checkQuantity`. */
  quantityOf(measurement: string, profiles: Profiles): number;
  /** A value of a quantity in the unit of the answer; see `toAnswer`. */
  shown(quantity: number, value: number): number;
  readonly market: Market;
  /** The people who meet the conditions. */
  readonly kept: KeptPeople;
  /** Distributions among them. */
  readonly distributions: Distributions;
  /** Head count after the conditions. Its year is given if the bodies are of another year. */
  readonly headCount: { readonly people: number; readonly headCountYear?: number };
  /** Groups as the answer shows them. */
  readonly groups: readonly {
    readonly countries: string[];
    readonly gender?: string;
    readonly ageMin: number;
    readonly ageMax: number;
    readonly people: number;
    readonly share: number;
  }[];
}

/**
 * Resolves the population of a request.
 *
 * @throws Problem `population_empty`, also if only one group is empty; `validation_error`
 */
export function peopleOf(request: PeopleRequest, model: PredictionModel): People {
  const input = request.population;
  const units = unitsOf(request);
  const joint = model.people();
  const { peopleModel } = joint;
  const { views } = peopleModel;
  const year = input.year ?? views.manifest.referenceYear;
  checkYear(input, year, model);
  const groups = input.groups.map(({ countries, ...group }) => ({
    ...group,
    countries: countries.flatMap((name) => countriesOf(name) ?? []),
  }));
  const resolve = (some: typeof groups) =>
    resolveMarket(some, year, (country, gender, age) => peopleModel.people(country, gender, age));
  const market = resolve(groups);
  if (market === undefined) {
    throw nobodyIn(
      (g) => resolve(groups.slice(g, g + 1)) === undefined,
      input,
      'has no people. Leave it out, or widen its ages.',
    );
  }
  const quantityOf = (measurement: string, profiles: Profiles): number => {
    const quantity = peopleModel.indexOf(measurement);
    checkQuantity(joint, market, quantity, profiles);
    return quantity;
  };
  const keep = (input.keep ?? []).map(({ measurement, min, max }): Limit => {
    const quantity = quantityOf(measurement, NUDE);
    const value = (end: number | undefined, none: number): number =>
      end === undefined ? none : fromRequest(joint, quantity, end, units);
    const [low, high] = [value(min, 0), value(max, Number.POSITIVE_INFINITY)];
    return { quantity, min: low, max: high, profiles: NUDE };
  });
  const kept = keptPeople(peopleModel, market, keep);
  const byCohort = inMarket(market, kept, kept.kept);
  const counts = market.groups.map(({ part }) => sumOver(part, byCohort));
  const people = counts.reduce((sum, count) => sum + count, 0);
  const { keptShare } = kept;
  if (keep.length > 0 && (keptShare < KEPT_SHARE_MIN || people < PEOPLE_MIN)) {
    const hints = (input.keep ?? []).flatMap((condition, k) => {
      const mixture = mixtureOf(peopleModel, market, (keep[k] as Limit).quantity, NUDE);
      return otherUnitOf(condition, mixture, unitOf(condition.measurement, units)) ?? [];
    });
    const remedy = hints[0] ?? 'Widen the conditions.';
    const sentence = said`The conditions in ${field('/population/keep')} leave about ${Math.round(people)} people, ${(100 * keptShare).toFixed(3)} % of the groups; at least ${PEOPLE_MIN} people and ${100 * KEPT_SHARE_MIN} % are needed. ${remedy}`;
    throw new Problem('population_empty', sentence);
  }
  if (counts.includes(0)) {
    throw nobodyIn(
      (g) => counts[g] === 0,
      input,
      said`has nobody who meets ${field('/population/keep')}. Leave it out, or widen the conditions.`,
    );
  }
  return {
    ...{ joint, peopleModel, units, market, kept, quantityOf },
    profilesOf: (asked) => dressOf(asked, market),
    shown: (quantity, value) => toAnswer(joint, quantity, value, units),
    distributions: new Distributions(kept),
    headCount: {
      people: Math.round(people),
      ...(year === HEAD_COUNT_YEAR ? {} : { headCountYear: HEAD_COUNT_YEAR }),
    },
    groups: input.groups.map(({ countries, gender, ageMin, ageMax }, g) => ({
      countries,
      ...(gender === undefined ? {} : { gender }),
      ...{ ageMin, ageMax, people: Math.round(counts[g] as number) },
      share: roundShare(market.groups[g]?.share as number),
    })),
  };
}

/** The people of each group who meet the conditions. */
export function keptGroups({ market, kept, peopleModel }: People): readonly KeptPeople[] {
  return market.groups.map(({ part }) => {
    const cohorts = Array.from(part.cohorts, (cohort) => market.cohorts[cohort] as Cohort);
    const weights = part.counts.map((count) => count / part.people);
    return keptPeople(peopleModel, { cohorts, weights }, kept.keep);
  });
}

/**
 * The groups of an answer, each with the share of its people who are accommodated.
 *
 * @param byCohort share of the people of each kept cohort
 */
export function accommodatedGroups({ market, kept, groups }: People, byCohort: Float64Array) {
  const [accepted, present] = [byCohort, kept.kept].map((numbers) =>
    inMarket(market, kept, numbers),
  ) as [Float64Array, Float64Array];
  return groups.map((group, g) => {
    const { part } = market.groups[g] as (typeof market.groups)[number];
    const ratio = sumOver(part, accepted) / sumOver(part, present);
    return { ...group, accommodated: roundShare(Math.min(1, ratio)) };
  });
}

/** The refusal of groups that have nobody. */
function nobodyIn(
  isEmpty: (group: number) => boolean,
  { groups }: PopulationInput,
  why: Sentence | string,
): Problem {
  const errors = groups.flatMap((_, g) => {
    const pointer = `/population/groups/${g}`;
    return isEmpty(g) ? [wrong(pointer)`${why}`] : [];
  });
  return new Problem('population_empty', errors[0] ?? why, { errors });
}

/** Spreads numbers of some of the cohorts over all cohorts of the population. The other cohorts get 0. */
function inMarket(
  { cohorts }: WeightedCohorts,
  { indices }: Pick<KeptPeople, 'indices'>,
  numbers: Float64Array,
): Float64Array {
  const all = new Float64Array(cohorts.length);
  indices.forEach((cohort, i) => {
    all[cohort] = numbers[i] as number;
  });
  return all;
}

/** @throws Problem `validation_error` for children in another year than the reference year */
function checkYear({ groups }: PopulationInput, year: number, model: PredictionModel): void {
  const { referenceYear, population } = model.people().peopleModel.views.manifest;
  const from = population.yearsFromAge;
  if (year === referenceYear) return;
  const errors = groups.flatMap(({ ageMin }, g) => {
    if (ageMin >= from) return [];
    const group = `/population/groups/${g}`;
    const [pointer, ofYear] = [`${group}/ageMin`, field('/population/year', 'year')];
    const at = fault(pointer);
    return [
      at`${field(group)} reaches under ${from} years. Children's bodies are known for ${referenceYear} only: set ${field(pointer, 'ageMin')} to at least ${from}, or leave out ${ofYear}.`,
    ];
  });
  const [first, ...others] = errors;
  if (first !== undefined) throw refusalOf('validation_error', [first, ...others]);
}

/**
 * Checks that a quantity has a model in a posture.
 *
 * @throws Problem `model_not_found`
 */
export function checkPosture(
  { peopleModel }: Pick<JointPeople, 'peopleModel'>,
  quantity: number,
  profiles: Profiles,
): void {
  const { postures } = peopleModel.definitionOf(quantity);
  const posture = POSTURE_IDS[profiles.posture] as PostureId;
  if (postures.includes(posture)) return;
  const message = `${peopleModel.names[quantity]} has no model for posture ${posture}; use ${postures.join(' or ')}.`;
  throw new Problem('model_not_found', message);
}

/**
 * Checks that a quantity has a model in every cohort of a population.
 *
 * @throws Problem `gender_not_supported`, `model_not_found`
 */
export function checkQuantity(
  { peopleModel }: JointPeople,
  { cohorts }: Pick<WeightedCohorts, 'cohorts'>,
  quantity: number,
  profiles: Profiles,
): void {
  checkPosture({ peopleModel }, quantity, profiles);
  const name = peopleModel.names[quantity] as string;
  const { genders } = peopleModel.definitionOf(quantity);
  const looked = new Set<number>();
  for (const { gender, ageYears } of cohorts) {
    // Ages are below 1,024 years.
    const kind = gender * 1024 + ageYears;
    if (looked.has(kind)) continue;
    looked.add(kind);
    const wanted = GENDERS[gender] as (typeof GENDERS)[number];
    if (!genders.includes(wanted)) {
      const message = `${name} has no model for ${wanted}; it is defined for ${genders.join(' and ')} only. Ask for groups of that gender, or leave ${name} out.`;
      throw new Problem('gender_not_supported', message);
    }
    if (peopleModel.has(quantity, gender, ageYears)) continue;
    const message = `There is no model of ${name} for ${wanted} at ${Math.floor(ageYears)} years. Change the ages of the groups, or leave ${name} out.`;
    throw new Problem('model_not_found', message);
  }
}

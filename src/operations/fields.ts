import Type from 'typebox';
import { FREE_WINDOW_HOURS } from '../core/billing-terms.js';
import { COUNTRY_CODES, type CountryCode } from '../core/countries.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { AGE_LIMITS, PERCENT_LIMITS } from '../core/limits.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../core/measurements.js';
import {
  CLOTHING,
  CLOTHING_IDS,
  type ClothingId,
  POSTURE_IDS,
  POSTURES,
  type PostureId,
} from '../core/profiles.js';
import { MASS_UNITS, type MassUnit, UNITS, type Unit } from '../core/units.js';
import { MASS_QUANTITIES } from '../lookup/format.js';

/** Values of omitted optional fields (specification, 1). `cellOf` applies them. */
export const DEFAULTS = {
  country: 'US',
  unit: 'mm',
  clothing: 'nude',
  posture: 'standing_erect',
} as const;

/** A JSON object that has no other fields than these. */
export function closedObject<Fields extends Type.TProperties>(
  fields: Fields,
  options?: Type.TObjectOptions,
) {
  return Type.Object(fields, { additionalProperties: false, ...options });
}

/** A name of a list. */
export function oneOf<Name extends string>(names: readonly Name[], options: Type.TSchemaOptions) {
  return Type.Enum([...names] as [Name, ...Name[]], { type: 'string', ...options });
}

/** The quantities of populations: the measurements, and the two quantities of the whole body. */
export const BODY_MEASUREMENTS = [...MEASUREMENT_NAMES, ...MASS_QUANTITIES] as const;
/** The two quantities of the whole body. */
export const BODY_QUANTITIES: readonly string[] = MASS_QUANTITIES;
/** Name of one of the measurements of populations. */
export type BodyMeasurement = (typeof BODY_MEASUREMENTS)[number];

/** Lists of the catalog from which fields take their values. */
const LISTS = {
  measurements: MEASUREMENT_NAMES,
  bodyMeasurements: BODY_MEASUREMENTS,
  countries: COUNTRY_CODES,
  clothing: CLOTHING_IDS,
  postures: POSTURE_IDS,
  genders: GENDERS,
  units: UNITS,
  massUnits: MASS_UNITS,
} as const;

/** Name of one of them. */
export type ListName = keyof typeof LISTS;

/** The list of the catalog that an enum contains; undefined for another enum, or for none. */
export function listOf(names: readonly string[] | undefined): ListName | undefined {
  const found = Object.entries(LISTS).find(
    ([, list]) => list.length === names?.length && list[0] === names[0],
  );
  return found?.[0] as ListName | undefined;
}

/** The ids of the profiles of a field, each with its meaning. */
function meanings(profiles: readonly { readonly id: string; readonly definition: string }[]) {
  return profiles.map(({ id, definition }) => `${id}: ${definition}`).join(' ');
}

/** Fields of requests by what they hold. */
export const requestFields = {
  measurement: (description: string) => oneOf<MeasurementName>(MEASUREMENT_NAMES, { description }),
  /** A measurement of people, `BodyMass` or `BMI`. */
  bodyMeasurement: (description: string) =>
    oneOf<BodyMeasurement>(BODY_MEASUREMENTS, { description }),
  /** A percentile or a share in percent. */
  percent: (description: string) => Type.Number({ ...PERCENT_LIMITS, description }),
  /** A country code without a default, for lists. */
  country: (description: string) => oneOf<CountryCode>(COUNTRY_CODES, { description }),
  /** Required fields about the person, in every operation. */
  person: {
    gender: oneOf<Gender>(GENDERS, { description: 'Gender of the population.' }),
    age: Type.Number({
      ...AGE_LIMITS,
      description: 'Exact age in years; 10.5 is the middle of being 10.',
    }),
  },
  /** The optional country of operations on a single country. */
  countryOption: {
    country: Type.Optional(
      oneOf<CountryCode>(COUNTRY_CODES, {
        default: DEFAULTS.country,
        description: 'Country of the population.',
      }),
    ),
  },
  /** The optional fields of every operation. */
  options: {
    unit: Type.Optional(
      oneOf<Unit>(UNITS, { default: DEFAULTS.unit, description: 'Unit of every length.' }),
    ),
    clothing: Type.Optional(
      oneOf<ClothingId>(CLOTHING_IDS, {
        default: DEFAULTS.clothing,
        description: `Clothing worn (mm of US adults). ${meanings(CLOTHING)}`,
      }),
    ),
    posture: Type.Optional(
      oneOf<PostureId>(POSTURE_IDS, {
        default: DEFAULTS.posture,
        description: `Posture held (mm of US adults). ${meanings(POSTURES)}`,
      }),
    ),
  },
  massUnit: {
    massUnit: Type.Optional(
      oneOf<MassUnit>(MASS_UNITS, { default: MASS_UNITS[0], description: 'Unit of body mass.' }),
    ),
  },
};

/** An answer that costs something. If the free tier paid for the request, the answer says how much is left of it. */
export function paidAnswer<Fields extends Type.TProperties>(fields: Fields) {
  return Type.Object({
    ...fields,
    remaining_free_calls: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `Free calls left in the rolling ${FREE_WINDOW_HOURS} hours; only when the free tier paid.`,
      }),
    ),
  });
}

/**
 * The possible values of a text in an answer. The OpenAPI document lists them. Tools, the catalog and serializers do
 * not see them, because lists of names would make these many times as long.
 */
export const VALUES = Symbol('values');

/** A text in an answer that has one of these values. */
const textOf = (values: readonly string[]) => (description: string) =>
  Type.String({ description, [VALUES]: values });

/** Fields of answers by what they hold. */
export const answerFields = {
  text: (description: string) => Type.String({ description }),
  number: (description: string) => Type.Number({ description }),
  measurement: textOf(MEASUREMENT_NAMES),
  bodyMeasurement: textOf(BODY_MEASUREMENTS),
  country: textOf(COUNTRY_CODES),
  gender: textOf(GENDERS),
  unit: textOf(UNITS),
  massUnit: textOf(MASS_UNITS),
  clothing: textOf(CLOTHING_IDS),
  posture: textOf(POSTURE_IDS),
  oneOf: (values: readonly string[], description: string) => textOf(values)(description),
};

/** Answer fields that repeat the population, for operations on a single country. */
export const appliedFields = {
  gender: answerFields.gender('Gender of the population.'),
  country: answerFields.country('Country applied.'),
  clothing: answerFields.clothing('Clothing applied.'),
  posture: answerFields.posture('Posture applied.'),
};

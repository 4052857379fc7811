import { Problem } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { HEAD_COUNT_YEAR, KEPT_SHARE_MIN, PEOPLE_MIN } from '../core/limits.js';
import {
  CLOTHING_IDS,
  type ClothingId,
  clothingFault,
  POSTURE_IDS,
  type PostureId,
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
import { type Dress, NUDE } from '../population/bodies.js';
import { Distributions } from '../population/distribution.js';
import type { JointBodies } from '../population/joint.js';
import { type KeptPeople, keptPeople, type Limit } from '../population/limits.js';
import { type Market, resolveMarket, sumOver, type WeightedCohorts } from '../population/market.js';
import { DEFAULTS } from './fields.js';
import { countriesOf, type PopulationInput } from './population-fields.js';
import type { PredictionModel } from './prediction-model.js';

/** The units of a request. */
export interface Units {
  readonly unit: Unit;
  readonly massUnit: MassUnit;
}

/** The units of a request, with the defaults of omitted fields. */
export function unitsOf(input: { unit?: Unit; massUnit?: MassUnit }): Units {
  return { unit: input.unit ?? DEFAULTS.unit, massUnit: input.massUnit ?? 'kg' };
}

/** A value of a quantity from the request's unit to mm, kg or kg/m². */
export function fromRequest(joint: JointBodies, quantity: number, value: number, units: Units) {
  const { bodies } = joint;
  if (quantity < bodies.measurements) return toMm(value, units.unit);
  return quantity === bodies.mass ? value * KG_PER_UNIT[units.massUnit] : value;
}

/** A value of a quantity in mm, kg or kg/m² in the unit of the answer, rounded to its step. */
export function toAnswer(joint: JointBodies, quantity: number, value: number, units: Units) {
  const { bodies } = joint;
  if (quantity < bodies.measurements) return fromMm(value, units.unit);
  return quantity === bodies.mass ? fromKg(value, units.massUnit) : roundBmi(value);
}

/** Unit of a measurement, of `BodyMass` or of `BMI`. */
export function unitOf(measurement: string, { unit, massUnit }: Units): string {
  if (measurement === 'BMI') return 'kg/m²';
  return measurement === 'BodyMass' ? massUnit : unit;
}

/**
 * Clothing and posture of a request by index.
 *
 * @throws Problem `model_not_found` if somebody in the cohorts is too young for the clothing
 */
export function dressOf(
  input: { clothing?: ClothingId; posture?: PostureId },
  { cohorts }: { readonly cohorts: readonly { readonly ageYears: number }[] },
): Dress {
  const clothing = input.clothing ?? DEFAULTS.clothing;
  for (const { ageYears } of cohorts) {
    const fault = clothingFault(clothing, ageYears);
    if (fault !== undefined) throw new Problem('model_not_found', fault);
  }
  return {
    clothing: CLOTHING_IDS.indexOf(clothing),
    posture: POSTURE_IDS.indexOf(input.posture ?? DEFAULTS.posture),
  };
}

/** The people of a request. */
export interface People {
  readonly joint: JointBodies;
  readonly market: Market;
  /** Those who meet the conditions. */
  readonly kept: KeptPeople;
  /** Distributions among them. */
  readonly distributions: Distributions;
  /** Head count after the conditions, and its year where the bodies are of another year. */
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
 * @throws Problem `population_empty`, `validation_error`
 */
export function peopleOf(input: PopulationInput, units: Units, model: PredictionModel): People {
  const joint = model.people();
  const { views } = joint.bodies;
  const year = input.year ?? views.manifest.referenceYear;
  checkYear(input, year, model);
  const groups = input.groups.map(({ countries, ...group }) => ({
    ...group,
    countries: countries.flatMap((name) => countriesOf(name) ?? []),
  }));
  const market = resolveMarket(groups, year, (country, gender, age) =>
    joint.bodies.people(country, gender, age),
  );
  if (market === undefined) {
    throw new Problem('population_empty', 'A group of the population has no people.');
  }
  const keep = (input.keep ?? []).map(({ measurement, min, max }): Limit => {
    const quantity = joint.bodies.indexOf(measurement);
    checkQuantity(joint, market, quantity, NUDE);
    const value = (end: number | undefined, none: number): number =>
      end === undefined ? none : fromRequest(joint, quantity, end, units);
    const [low, high] = [value(min, 0), value(max, Number.POSITIVE_INFINITY)];
    return { quantity, min: low, max: high, dress: NUDE };
  });
  const kept = keptPeople(joint.bodies, market, keep);
  const byCohort = inMarket(market, kept, kept.kept);
  const counts = market.groups.map(({ part }) => sumOver(part, byCohort));
  const people = counts.reduce((sum, count) => sum + count, 0);
  const { keptShare } = kept;
  if (keep.length > 0 && (keptShare < KEPT_SHARE_MIN || people < PEOPLE_MIN)) {
    const message = `The conditions in population.keep leave about ${Math.round(people)} people, ${(100 * keptShare).toFixed(3)} % of the groups; at least ${PEOPLE_MIN} people and ${100 * KEPT_SHARE_MIN} % are needed. Widen the conditions.`;
    throw new Problem('population_empty', message);
  }
  return {
    ...{
      joint,
      market,
      kept,
      distributions: new Distributions(kept),
      headCount: {
        people: Math.round(people),
        ...(year === HEAD_COUNT_YEAR ? {} : { headCountYear: HEAD_COUNT_YEAR }),
      },
    },
    groups: input.groups.map(({ countries, gender, ageMin, ageMax }, g) => ({
      countries,
      ...(gender === undefined ? {} : { gender }),
      ...{ ageMin, ageMax, people: Math.round(counts[g] as number) },
      share: roundShare(market.groups[g]?.share ?? 0),
    })),
  };
}

/** A number that the cohorts of some people have, for each cohort of the population; 0 elsewhere. */
export function inMarket(
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
  const { referenceYear, population } = model.people().bodies.views.manifest;
  const from = population.yearsFromAge;
  if (year === referenceYear) return;
  const errors = groups.flatMap(({ ageMin }, g) => {
    if (ageMin >= from) return [];
    const message = `population.groups[${g}] reaches under ${from} years. Children's bodies are known for ${referenceYear} only: set ageMin to at least ${from}, or leave out year.`;
    return [{ pointer: `/population/groups/${g}/ageMin`, message }];
  });
  const [first] = errors;
  if (first !== undefined) throw new Problem('validation_error', first.message, { errors });
}

/**
 * Checks that a quantity has a model in a posture.
 *
 * @throws Problem `model_not_found`
 */
export function checkPosture(
  { bodies }: Pick<JointBodies, 'bodies'>,
  quantity: number,
  dress: Dress,
): void {
  const { postures } = bodies.definitionOf(quantity);
  const posture = POSTURE_IDS[dress.posture] as PostureId;
  if (postures.includes(posture)) return;
  const message = `${bodies.names[quantity]} has no model for posture ${posture}; use ${postures.join(' or ')}.`;
  throw new Problem('model_not_found', message);
}

/**
 * Checks that a quantity has a model in every cohort of a population.
 *
 * @throws Problem `gender_not_supported`, `model_not_found`
 */
export function checkQuantity(
  { bodies }: JointBodies,
  { cohorts }: Pick<WeightedCohorts, 'cohorts'>,
  quantity: number,
  dress: Dress,
): void {
  checkPosture({ bodies }, quantity, dress);
  const name = bodies.names[quantity] as string;
  const { genders } = bodies.definitionOf(quantity);
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
    if (bodies.has(quantity, gender, ageYears)) continue;
    const message = `There is no model of ${name} for ${wanted} at ${Math.floor(ageYears)} years. Change the ages of the groups, or leave ${name} out.`;
    throw new Problem('model_not_found', message);
  }
}

import Type, { type Static } from 'typebox';
import { refusalOf, wrong } from '../core/errors.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import { roundShare } from '../core/units.js';
import { fastPhi } from '../numerics/numerics.js';
import {
  Factors,
  joinLimits,
  jointShare,
  type Limit,
  type ScoreLimits,
  scoreLimits,
  soleFailures,
} from '../population/limits.js';
import type { Mixture } from '../population/mixture.js';
import type { FoundFault } from './faults.js';
import { answerFields, closedObject, paidAnswer, requestFields } from './fields.js';
import { NOBODY, otherUnitOf } from './likely-unit.js';
import {
  MEDIANS_OFF,
  medianError,
  shareBoundFields,
  shareBounds,
  sharesOff,
} from './median-errors.js';
import { defineOperation, fixedPrice } from './operation.js';
import {
  accommodatedGroups,
  EMPTY_POPULATION,
  fromRequest,
  groupFields,
  LARGEST_POPULATION,
  limitField,
  ON_PEOPLE,
  type People,
  peopleFields,
  peopleOf,
  populationFaults,
  populationField,
  rangeFaults,
  rarePercentField,
  unitFields,
  unitOf,
} from './population-request.js';
import { groupsFault } from './tool-answers.js';
import { boxMs, distributionMs, evidenceMs, stepsOf } from './work.js';

const COST = 5;
const LIMITS = { minItems: 1, maxItems: 20 } as const;

const limit = closedObject({
  measurement: requestFields.bodyMeasurement('Measurement that is limited.'),
  min: limitField('Least value that is accommodated.'),
  max: limitField('Largest value that is accommodated.'),
  minPercentile: Type.Optional(
    rarePercentField('Least percentile of the population that is accommodated, instead of `min`.'),
  ),
  maxPercentile: Type.Optional(
    rarePercentField(
      'Largest percentile of the population that is accommodated, instead of `max`.',
    ),
  ),
  clothing: requestFields.options.clothing,
  posture: requestFields.options.posture,
});

const request = closedObject({
  population: populationField,
  limits: Type.Array(limit, {
    ...LIMITS,
    description: 'Limits that a person must meet together.',
  }),
  ...requestFields.options,
  ...requestFields.massUnit,
});

const response = paidAnswer({
  ...peopleFields,
  share: answerFields.number('Share of the people that all limits accommodate together, 0 to 1.'),
  ...shareBoundFields,
  numericalError: answerFields.number('Half width of the 95 % interval of `share`, a fraction.'),
  ...unitFields,
  limits: Type.Array(
    Type.Object({
      measurement: answerFields.bodyMeasurement('Measurement that is limited.'),
      min: Type.Optional(answerFields.number('Least value that is accommodated.')),
      max: Type.Optional(answerFields.number('Largest value that is accommodated.')),
      below: answerFields.number('Share of the people below `min`.'),
      above: answerFields.number('Share of the people above `max`.'),
      failsOnlyHere: answerFields.number('Share of the people that this limit alone excludes.'),
    }),
    { description: 'The limits in the order asked.' },
  ),
  groups: Type.Array(
    Type.Object({
      ...groupFields,
      accommodated: answerFields.number('Share of the group that all limits accommodate.'),
    }),
    { description: 'The groups in the order asked.' },
  ),
});

/** POST /v1/population/share: the share of a population that limits accommodate. */
export const populationShare = defineOperation({
  name: 'population_share',
  path: '/v1/population/share',
  title: 'Share of a population',
  description:
    'Share of a population that meets up to 20 limits on the same person, and which limit excludes most people.',
  toolDescription: `What share of the users fits? Give a population and 1 to ${LIMITS.maxItems} limits that one person must meet together, as values or as percentiles of the population. The answer has the joint share, and for each limit who fails it and who fails only it. Does not propose limits: design_ranges.`,
  ...fixedPrice(COST),
  command: { name: 'share', summary: 'share of a population within limits' },
  ...ON_PEOPLE,
  request,
  response,
  example: {
    population: { groups: [{ countries: ['DE', 'JP'], ageMin: 18, ageMax: 65 }] },
    limits: [
      { measurement: 'SittingHeight', max: 960 },
      { measurement: 'PoplitealHeight', min: 360, max: 480, clothing: 'shoes' },
      { measurement: 'SittingHipBreadth', maxPercentile: 95 },
    ],
  },
  refusals: {
    population_empty: {
      population: EMPTY_POPULATION,
      limits: [{ measurement: 'SittingHeight', max: 960 }],
    },
    computation_too_large: {
      population: LARGEST_POPULATION,
      limits: MEASUREMENT_NAMES.slice(0, LIMITS.maxItems).map((measurement) => {
        return { measurement, maxPercentile: 95 };
      }),
      clothing: 'shoes',
    },
    value_implausible: {
      population: { groups: [{ countries: ['LU'], ageMin: 20, ageMax: 60 }] },
      limits: [{ measurement: 'Stature', max: 190 }],
    },
  },
  check: ({ population, limits }) => [
    ...populationFaults(population),
    ...limits.flatMap(limitFaults),
  ],
  toolCheck: ({ population }) => groupsFault(population),
  work: {
    ms(input) {
      const steps = stepsOf(input);
      const { cells, sampled, conditions, curveMs } = steps;
      const { length } = input.limits;
      // The share of all cells, and the shares of a sample with these and with other medians.
      const shares = (sampled < cells ? 1 : 0) + MEDIANS_OFF.length;
      const read = cells + shares * Math.min(cells, sampled);
      const each = 0.6 * read * curveMs + distributionMs(steps, 2) + evidenceMs(steps);
      // Work for the people who fail only one limit, below or above it.
      const alone = length > 1 ? 2.2e-4 * (20_000 + length * sampled) * (conditions + length) : 0;
      const boxes = [cells, ...Array<number>(shares).fill(Math.min(cells, sampled))];
      const boxed = boxes.reduce((sum, each) => sum + boxMs(each, conditions + length), 0);
      return steps.populationMs + length * each + boxed + alone;
    },
    less: 'fewer limits, countries or years of age',
  },
  run(input, model): Static<typeof response> {
    const people = peopleOf(input, model);
    const { kept, peopleModel, shown } = people;
    const limits = resolveLimits(input, people);
    const each = limits.map((limit) => scoreLimits(peopleModel, kept, [limit]));
    const all = joinLimits([kept.conditions, ...each], kept.cohorts.length);
    const factors = new Factors(peopleModel, all.quantities);
    const inside = jointShare(kept, factors, all);
    const share = Math.min(1, inside.share);
    const outside = limits.map((one, i) => outsideOf(people, one, each[i] as ScoreLimits));
    const judged = judgedTogether(1 - share, outside, () =>
      soleFailures(kept, factors, all.quantities, each),
    );
    const errors = limits.map(
      ({ quantity, profiles }) => medianError(people, model, quantity, profiles).error,
    );
    return {
      ...people.headCount,
      share: roundShare(share),
      ...shareBounds(share, sharesOff(people, limits, errors, share)),
      numericalError: roundShare(inside.error),
      ...people.units,
      limits: limits.map((one, i) => {
        const { quantity, min, max } = one;
        return {
          measurement: peopleModel.names[quantity] as string,
          ...(min > 0 ? { min: shown(quantity, min) } : {}),
          ...(Number.isFinite(max) ? { max: shown(quantity, max) } : {}),
          ...(judged[i] as Judged),
        };
      }),
      groups: accommodatedGroups(people, inside.byCohort),
    };
  },
});

type Input = Static<typeof request>;

function limitFaults(one: Input['limits'][number], i: number): FoundFault[] {
  const { min, max, minPercentile, maxPercentile } = one;
  const pointer = `/limits/${i}`;
  const twice = (value: number | undefined, percentile: number | undefined, end: string) => {
    if (value === undefined || percentile === undefined) return [];
    return [wrong(pointer)`has ${end} and ${end}Percentile; give one of them.`];
  };
  return [
    ...twice(min, minPercentile, 'min'),
    ...twice(max, maxPercentile, 'max'),
    ...(minPercentile === undefined && maxPercentile === undefined
      ? rangeFaults(pointer, min, max)
      : rangeFaults(pointer, minPercentile, maxPercentile, ' (percentiles)')),
  ];
}

/**
 * Converts the limits to mm, kg or kg/m². Percentiles are those of the people after `keep`.
 *
 * @throws Problem `value_implausible` for a limit that leaves nobody and was probably meant in another unit,
 * `validation_error` if a value and a percentile leave no range
 */
function resolveLimits(input: Input, people: People): Limit[] {
  const { joint, units } = people;
  return input.limits.map((one, i): Limit => {
    const profiles = people.profilesOf({ ...input, ...one });
    const quantity = people.quantityOf(one.measurement, profiles);
    const distribution = people.distributions.of(quantity, profiles);
    const end = (value: number | undefined, percentile: number | undefined, none: number) => {
      if (value !== undefined) return fromRequest(joint, quantity, value, units);
      return percentile === undefined ? none : distribution.value(percentile);
    };
    const min = end(one.min, one.minPercentile, 0);
    const max = end(one.max, one.maxPercentile, Number.POSITIVE_INFINITY);
    if (min >= max) {
      const shown = (value: number) =>
        `${people.shown(quantity, value)} ${unitOf(one.measurement, units)}`;
      const at = wrong(`/limits/${i}`);
      throw refusalOf('validation_error', [
        at`accommodates nobody: it begins at ${shown(min)} and ends at ${shown(max)}. Its beginning must be less than its end.`,
      ]);
    }
    if (distribution.share(max) - distribution.share(min) < NOBODY) {
      refuseWrongUnit(i, one, distribution, unitOf(one.measurement, units));
    }
    return { quantity, min, max, profiles };
  });
}

/** @throws Problem `value_implausible` for a limit that leaves nobody and was probably meant in another unit */
function refuseWrongUnit(
  index: number,
  limit: Input['limits'][number],
  distribution: Mixture,
  unit: string,
): void {
  const remedy = otherUnitOf(limit, distribution, unit);
  if (remedy === undefined) return;
  const at = wrong(`/limits/${index}`);
  throw refusalOf('value_implausible', [
    at`leaves nobody: no ${limit.measurement} of this population is ${rangeText(limit, unit)}. ${remedy}`,
  ]);
}

/** A range in words. */
function rangeText({ min, max }: Input['limits'][number], unit: string): string {
  if (min === undefined) return `${max} ${unit} or less`;
  return max === undefined ? `${min} ${unit} or more` : `between ${min} and ${max} ${unit}`;
}

/** Shares of the people outside a limit. */
interface Outside {
  readonly below: number;
  readonly above: number;
}

/** Shares outside a limit, rounded, and the share of people whom only this limit excludes. */
interface Judged extends Outside {
  readonly failsOnlyHere: number;
}

/**
 * Adjusts the shares outside each limit, and outside only this limit, to the share that all limits together exclude.
 * Numerical errors can make these shares disagree. No share outside one limit may be larger than the share that all
 * limits exclude. Nor may the sum of the shares outside only one limit.
 *
 * @param excluded share of the people whom the limits exclude together
 * @param alone finds the shares that fail only one limit, if there are several limits
 */
function judgedTogether(
  excluded: number,
  outside: readonly Outside[],
  alone: () => ArrayLike<number>,
): Judged[] {
  const isSingle = outside.length === 1;
  const shares = outside.map(({ below, above }) => {
    const part = excluded / (below + above);
    const fitted = below + above > 0 && (isSingle || part < 1) ? part : 1;
    return { below: fitted * below, above: fitted * above };
  });
  const whole = shares.map(({ below, above }) => below + above);
  const found = isSingle ? whole : alone();
  const only = whole.map((most, i) => Math.min(most, found[i] as number));
  const sum = only.reduce((total, share) => total + share, 0);
  const kept = sum > excluded ? excluded / sum : 1;
  return shares.map((one, i) => {
    const [below, above] = [roundShare(one.below), roundShare(one.above)];
    const rounded = isSingle ? below + above : Math.min(below + above, kept * (only[i] as number));
    return { below, above, failsOnlyHere: roundShare(rounded) };
  });
}

/**
 * Shares of the people below and above a limit. Without conditions, they are summed over the cells like the joint
 * share. The share within a single limit and the shares outside it therefore sum to 1.
 */
function outsideOf(
  people: People,
  { quantity, min, max, profiles }: Limit,
  scores: ScoreLimits,
): Outside {
  const { cohorts, weights, keep } = people.kept;
  if (keep.length === 0) {
    let [below, above] = [0, 0];
    for (let c = 0; c < cohorts.length; c++) {
      const weight = weights[c] as number;
      below += weight * fastPhi(scores.low[c] as number);
      above += weight * (1 - fastPhi(scores.high[c] as number));
    }
    return { below, above };
  }
  const distribution = people.distributions.of(quantity, profiles);
  return {
    below: min > 0 ? distribution.share(min) : 0,
    above: Number.isFinite(max) ? 1 - distribution.share(max) : 0,
  };
}

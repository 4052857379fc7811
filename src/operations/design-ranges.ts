import Type, { type Static } from 'typebox';
import { TARGET_SHARE_LIMITS } from '../core/limits.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import { roundShare } from '../core/units.js';
import { designRanges as findRanges, type RangeDimension, SIDES } from '../population/ranges.js';
import { repeatedMeasurements } from './faults.js';
import { answerFields, closedObject, oneOf, paidAnswer, requestFields } from './fields.js';
import { defineOperation, fixedPrice } from './operation.js';
import {
  EMPTY_POPULATION,
  LARGEST_POPULATION,
  ON_PEOPLE,
  peopleFields,
  peopleOf,
  populationFaults,
  populationField,
  unitFields,
} from './population-request.js';
import { boxMs, distributionMs, stepsOf } from './work.js';

const COST = 10;
const DIMENSIONS = { minItems: 1, maxItems: 12 } as const;
/** Number of steps per percent in a tail. The steps are small, because the tails of many dimensions are thin. */
const STEPS_PER_PERCENT = 1e4;

const dimension = closedObject({
  measurement: requestFields.bodyMeasurement('Measurement that the design limits.'),
  side: oneOf<(typeof SIDES)[number]>(SIDES, {
    description: 'Sides that the design limits: `both`, `min` or `max`.',
  }),
});

const request = closedObject({
  population: populationField,
  targetShare: Type.Number({
    ...TARGET_SHARE_LIMITS,
    description: 'Share of the people that all ranges accommodate together.',
  }),
  dimensions: Type.Array(dimension, {
    ...DIMENSIONS,
    description: 'Dimensions of the design, no measurement twice.',
  }),
  ...requestFields.options,
  ...requestFields.massUnit,
});

const response = paidAnswer({
  ...peopleFields,
  share: answerFields.number('Share of the people inside all ranges together, 0 to 1.'),
  numericalError: answerFields.number('Half width of the 95 % interval of `share`, a fraction.'),
  ...unitFields,
  ranges: Type.Array(
    Type.Object({
      measurement: answerFields.bodyMeasurement('Measurement that the design limits.'),
      min: Type.Optional(answerFields.number('Least value that is accommodated.')),
      max: Type.Optional(answerFields.number('Largest value that is accommodated.')),
      minPercentile: Type.Optional(answerFields.number('Percentile of `min` in the population.')),
      maxPercentile: Type.Optional(answerFields.number('Percentile of `max` in the population.')),
    }),
    { description: 'The ranges in the order asked.' },
  ),
});

/** POST /v1/population/ranges: ranges that accommodate a share of a population. */
export const designRanges = defineOperation({
  name: 'design_ranges',
  path: '/v1/population/ranges',
  title: 'Ranges for a share of a population',
  description:
    'Ranges of up to 12 measurements that together accommodate the share of a population you ask for.',
  toolDescription: `Which ranges serve 95 % of the users? Give a population, the share to accommodate, and 1 to ${DIMENSIONS.maxItems} dimensions with the side that limits (both, min or max). The ranges cut off the same share of people at every limited side, and one person must lie inside all of them. Does not add clearances.`,
  ...fixedPrice(COST),
  command: { name: 'ranges', summary: 'ranges that accommodate a share of a population' },
  ...ON_PEOPLE,
  request,
  response,
  example: {
    population: { groups: [{ countries: ['DE', 'JP'], ageMin: 18, ageMax: 65 }] },
    targetShare: 0.95,
    dimensions: [
      { measurement: 'PoplitealHeight', side: 'both' },
      { measurement: 'SittingElbowHeight', side: 'both' },
      { measurement: 'ThighThickness', side: 'max' },
    ],
    clothing: 'shoes',
  },
  refusals: {
    population_empty: {
      population: EMPTY_POPULATION,
      targetShare: 0.95,
      dimensions: [{ measurement: 'SittingHeight', side: 'max' }],
    },
    computation_too_large: {
      population: LARGEST_POPULATION,
      targetShare: 0.95,
      dimensions: MEASUREMENT_NAMES.slice(0, DIMENSIONS.maxItems).map((measurement) => {
        return { measurement, side: 'both' as const };
      }),
      clothing: 'shoes',
    },
  },
  check: ({ population, dimensions }) => [
    ...populationFaults(population),
    ...repeatedMeasurements('/dimensions', dimensions),
  ],
  work: {
    ms(input) {
      const steps = stepsOf(input);
      const { cells, conditions, sampled, curveMs } = steps;
      const { length } = input.dimensions;
      // The search makes two rounds with all cells. If the cells are very many, five rounds with a sample come before.
      const curves = (sampled < cells ? 5 * sampled : 0) + 2 * cells;
      const each = distributionMs(steps, 10) + curves * curveMs;
      const rounds = sampled < cells ? 5 : 1;
      const joint =
        rounds * boxMs(sampled, conditions + length) + 2 * boxMs(cells, conditions + length);
      return steps.populationMs + length * each + 0.6 * joint;
    },
    less: 'fewer dimensions, countries or years of age',
  },
  run(input, model): Static<typeof response> {
    const people = peopleOf(input, model);
    const { peopleModel, units, shown } = people;
    const profiles = people.profilesOf(input);
    const dimensions = input.dimensions.map(({ measurement, side }): RangeDimension => {
      return { quantity: people.quantityOf(measurement, profiles), side, profiles };
    });
    const found = findRanges(people.kept, dimensions, input.targetShare);
    return {
      ...people.headCount,
      share: roundShare(found.share),
      numericalError: roundShare(found.error),
      ...units,
      ranges: found.limits.map(({ quantity, min, max }) => ({
        measurement: peopleModel.names[quantity] as string,
        ...(min > 0 ? { min: shown(quantity, min), minPercentile: percent(found.tail) } : {}),
        ...(Number.isFinite(max)
          ? { max: shown(quantity, max), maxPercentile: percent(1 - found.tail) }
          : {}),
      })),
    };
  },
});

/** A share as a percentile in steps of 0.0001. */
function percent(share: number): number {
  return Math.round(share * 100 * STEPS_PER_PERCENT) / STEPS_PER_PERCENT;
}

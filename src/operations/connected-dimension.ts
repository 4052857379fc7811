import Type, { type Static } from 'typebox';
import { field, wrong } from '../core/errors.js';
import { fromMm, MM_PER_UNIT, type Unit } from '../core/units.js';
import { zOfPercentile } from '../lookup/cell.js';
import {
  type ConditionalDistribution,
  conditionalDensity,
  conditionalMean,
  conditionalValue,
} from '../lookup/condition.js';
import { answerFields, closedObject, paidAnswer, requestFields } from './fields.js';
import { defineOperation, PRICE_OF_ONE } from './operation.js';
import { cellOf } from './prediction-model.js';

const request = closedObject({
  anchorMeasurement: requestFields.measurement('Dimension that is known.'),
  anchorPercentile: requestFields.percent('Percentile at which the anchor lies.'),
  linkedMeasurement: requestFields.measurement('Dimension to predict; not the anchor itself.'),
  accommodationPercent: requestFields.percent(
    'Share of people the range should cover, in percent.',
  ),
  ...requestFields.person,
  ...requestFields.countryOption,
  ...requestFields.options,
});

const response = paidAnswer({
  anchorMeasurement: answerFields.measurement('Dimension that is known.'),
  anchorPercentile: answerFields.number('Percentile at which the anchor lies.'),
  linkedMeasurement: answerFields.measurement('Dimension predicted.'),
  accommodationPercent: answerFields.number('Share of people between the bounds, in percent.'),
  conditionalMean: answerFields.number('Mean of the linked dimension given the anchor, in `unit`.'),
  lowerBound: answerFields.number('Lower end of the central range, in `unit`.'),
  upperBound: answerFields.number('Upper end of the central range, in `unit`.'),
  unit: answerFields.unit('Unit of every length.'),
  distributionPoints: Type.Array(
    Type.Object({
      percentile: answerFields.number('Percentile of the linked dimension given the anchor.'),
      value: answerFields.number('Length at that percentile, in `unit`.'),
      density: answerFields.number('Probability density there, per `unit`.'),
    }),
    { description: 'The conditional distribution at percentiles 1, 5, 10, 15 … 95, 99.' },
  ),
});

/** 1, 5, 10, 15 … 95, 99: the 21 percentiles of `distributionPoints`. */
const POINTS = [1, ...Array.from({ length: 19 }, (_, i) => 5 * (i + 1)), 99].map((percentile) => ({
  percentile,
  z: zOfPercentile(percentile),
}));

function distribution(conditional: ConditionalDistribution, unit: Unit) {
  return POINTS.map(({ percentile, z }) => ({
    percentile,
    value: fromMm(conditionalValue(conditional, z), unit),
    density: Math.round(conditionalDensity(conditional, z) * MM_PER_UNIT[unit] * 1e9) / 1e9,
  }));
}

/** POST /v1/connected-dimension: range of a linked dimension given an anchor (specification, 4.8). */
export const connectedDimension = defineOperation({
  name: 'connected_dimension',
  path: '/v1/connected-dimension',
  title: 'Connect two dimensions',
  description:
    'Mean, range and distribution of one body dimension among people whose other dimension lies at a given percentile.',
  toolDescription: `Given people whose anchor dimension lies at a percentile (say stature at the 5th), predict another dimension of theirs (say reach): its mean, the central range that covers \`accommodationPercent\` of them, and its distribution. Use it instead of combining two percentiles yourself, which overstates the range. Not for several known dimensions: complete_person.`,
  ...PRICE_OF_ONE,
  command: { name: 'connect', summary: 'predict one dimension given another' },
  request,
  response,
  example: {
    anchorMeasurement: 'Stature',
    anchorPercentile: 5,
    linkedMeasurement: 'WorkReach',
    accommodationPercent: 90,
    gender: 'Female',
    age: 35,
    country: 'US',
  },
  refusals: {},
  check: ({ anchorMeasurement, linkedMeasurement }) =>
    anchorMeasurement === linkedMeasurement
      ? [
          wrong(
            '/linkedMeasurement',
          )`must differ from ${field('/anchorMeasurement')}; use predict for a single dimension.`,
        ]
      : [],
  cost: () => 1,
  run(input, model): Static<typeof response> {
    const { anchorMeasurement, anchorPercentile, linkedMeasurement } = input;
    const anchor = cellOf({ ...input, measurement: anchorMeasurement });
    const linked = { ...anchor, measurement: linkedMeasurement };
    const conditional = model.condition(anchor, anchorPercentile, linked);
    const { unit } = anchor;
    const { accommodationPercent } = input;
    const z = zOfPercentile(50 + accommodationPercent / 2);
    return {
      anchorMeasurement,
      anchorPercentile,
      linkedMeasurement,
      accommodationPercent,
      conditionalMean: fromMm(conditionalMean(conditional), unit),
      lowerBound: fromMm(conditionalValue(conditional, -z), unit),
      upperBound: fromMm(conditionalValue(conditional, z), unit),
      unit,
      distributionPoints: distribution(conditional, unit),
    };
  },
});

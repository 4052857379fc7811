import Type, { type Static } from 'typebox';
import { PERCENTILES_LIMITS } from '../core/limits.js';
import { fromMm } from '../core/units.js';
import { curveValue, zOfPercentile } from '../lookup/cell.js';
import {
  answerFields,
  appliedFields,
  closedObject,
  paidAnswer,
  requestFields,
  toolTexts,
} from './fields.js';
import { costsOnePer, defineOperation } from './operation.js';
import { cellOf } from './prediction-model.js';

const { minItems, maxItems } = PERCENTILES_LIMITS;

const request = closedObject({
  measurement: requestFields.measurement('Dimension to predict.'),
  ...requestFields.person,
  percentiles: Type.Array(requestFields.percent('A percentile within the population.'), {
    minItems,
    maxItems,
    uniqueItems: true,
    description: `Percentiles to predict, ${minItems} to ${maxItems}, no two alike.`,
  }),
  ...requestFields.countryOption,
  ...requestFields.options,
});

const response = paidAnswer({
  measurement: answerFields.measurement('Dimension predicted.'),
  ...appliedFields,
  unit: answerFields.unit('Unit of every `value`.'),
  values: Type.Array(
    Type.Object({
      percentile: answerFields.number('Percentile asked for.'),
      value: answerFields.number('Predicted length, in `unit`.'),
    }),
    { description: 'One entry per percentile, in the order asked.' },
  ),
});

/** POST /v1/predict/range: one population, many percentiles (specification, 4.5). */
export const predictRange = defineOperation({
  name: 'predict_range',
  path: '/v1/predict/range',
  title: 'Predict many percentiles',
  description: `One body dimension of one population at up to ${maxItems} percentiles.`,
  toolDescription: `Predict one body dimension at ${minItems} to ${maxItems} percentiles of one population. Use it for the span a product must adjust over, such as the 5th to 95th percentile of popliteal height, or to sketch a size run. Not for age ranges or both genders: population_percentiles. ${toolTexts.defaults} ${toolTexts.noSuchPerson} ${toolTexts.posture} ${toolTexts.names}`,
  toolPrice: costsOnePer('percentile'),
  command: { name: 'range', summary: 'predict many percentiles' },
  price: '1 per returned percentile',
  request,
  response,
  example: {
    measurement: 'Stature',
    gender: 'Male',
    age: 30,
    percentiles: [5, 50, 95],
    country: 'NL',
  },
  refusals: {},
  cost: (input) => input.percentiles.length,
  run(input, model): Static<typeof response> {
    const population = cellOf(input);
    const { measurement, gender, country, clothing, posture, unit } = population;
    const curve = model.curve(population);
    return {
      measurement,
      gender,
      country,
      clothing,
      posture,
      unit,
      values: input.percentiles.map((percentile) => ({
        percentile,
        value: fromMm(curveValue(curve, zOfPercentile(percentile)), unit),
      })),
    };
  },
});

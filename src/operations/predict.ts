import type { Static } from 'typebox';
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
import { defineOperation, PRICE_OF_ONE } from './operation.js';
import { cellOf } from './prediction-model.js';

const request = closedObject({
  measurement: requestFields.measurement('Dimension to predict.'),
  ...requestFields.person,
  percentile: requestFields.percent('Percentile within the population.'),
  ...requestFields.countryOption,
  ...requestFields.options,
});

const response = paidAnswer({
  measurement: answerFields.measurement('Dimension predicted.'),
  ...appliedFields,
  value: answerFields.number('Predicted length, in `unit`.'),
  unit: answerFields.unit('Unit of `value`.'),
});

/** POST /v1/predict: one measurement, one percentile, one country (specification, 4.4). */
export const predict = defineOperation({
  name: 'predict',
  path: '/v1/predict',
  title: 'Predict a body dimension',
  description: 'One body dimension at one percentile of one population.',
  toolDescription: `Predict one body dimension at one percentile of one population (gender, exact age, country). Use it for a single design value, such as the hip breadth a seat must fit for 95 % of women. For several percentiles use predict_range, for several countries predict_compare, for BodyMass, age ranges or both genders population_percentiles. ${toolTexts.defaults} ${toolTexts.noSuchPerson} ${toolTexts.posture} ${toolTexts.names}`,
  ...PRICE_OF_ONE,
  command: { name: 'predict', summary: 'predict a body dimension' },
  request,
  response,
  example: {
    measurement: 'SittingHeight',
    gender: 'Female',
    age: 70,
    percentile: 95,
    country: 'JP',
    clothing: 'winter',
  },
  refusals: {},
  cost: () => 1,
  run(input, model): Static<typeof response> {
    const population = cellOf(input);
    const { measurement, gender, country, clothing, posture, unit } = population;
    const curve = model.curve(population);
    const value = fromMm(curveValue(curve, zOfPercentile(input.percentile)), unit);
    // The fields are written one by one. Rest and spread syntax would make a slow object, which costs 4 µs per request.
    return { measurement, gender, country, clothing, posture, value, unit };
  },
});

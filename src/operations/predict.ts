import Type, { type Static } from 'typebox';
import { fromMm } from '../core/units.js';
import { curveValue, zOfPercentile } from '../lookup/quantile-curve.js';
import {
  answerFields,
  appliedFields,
  countryOption,
  measurementField,
  optionFields,
  percentField,
  personFields,
  remainingFreeCallsField,
} from './fields.js';
import { defineOperation } from './operation.js';
import { cellOf } from './prediction-model.js';
import {
  COSTS_ONE,
  EXACT_NAMES,
  NO_SUCH_PERSON,
  POSTURE_TRAP,
  WITH_DEFAULTS,
} from './tool-texts.js';

const request = Type.Object(
  {
    measurement: measurementField('Dimension to predict.'),
    ...personFields,
    percentile: percentField('Percentile within the population.'),
    ...countryOption,
    ...optionFields,
  },
  { additionalProperties: false },
);

const response = Type.Object({
  measurement: answerFields.measurement('Dimension predicted.'),
  ...appliedFields,
  value: answerFields.number('Predicted length, in `unit`.'),
  unit: answerFields.unit('Unit of `value`.'),
  ...remainingFreeCallsField,
});

/** POST /v1/predict: one measurement, one percentile, one country (specification, 4.4). */
export const predict = defineOperation({
  name: 'predict',
  path: '/v1/predict',
  title: 'Predict a body dimension',
  description: 'One body dimension at one percentile of one population.',
  toolDescription: `Predict one body dimension at one percentile of one population (gender, exact age, country). Use it for a single design value, such as the hip breadth a seat must fit for 95 % of women. For several percentiles use predict_range, for several countries predict_compare, for BodyMass, age ranges or both genders population_percentiles. ${WITH_DEFAULTS} ${NO_SUCH_PERSON} ${POSTURE_TRAP} ${EXACT_NAMES}`,
  toolPrice: COSTS_ONE,
  command: { name: 'predict', summary: 'predict a body dimension' },
  price: '1 on success',
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

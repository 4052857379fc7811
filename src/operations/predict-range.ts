import Type, { type Static } from 'typebox';
import { PERCENTILES_LIMITS } from '../core/limits.js';
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
  costsOnePer,
  EXACT_NAMES,
  NO_SUCH_PERSON,
  POSTURE_TRAP,
  WITH_DEFAULTS,
} from './tool-texts.js';

const { minItems, maxItems } = PERCENTILES_LIMITS;

const request = Type.Object(
  {
    measurement: measurementField('Dimension to predict.'),
    ...personFields,
    percentiles: Type.Array(percentField('A percentile within the population.'), {
      minItems,
      maxItems,
      uniqueItems: true,
      description: `Percentiles to predict, ${minItems} to ${maxItems}, no two alike.`,
    }),
    ...countryOption,
    ...optionFields,
  },
  { additionalProperties: false },
);

const response = Type.Object({
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
  ...remainingFreeCallsField,
});

/** POST /v1/predict/range: one population, many percentiles (specification, 4.5). */
export const predictRange = defineOperation({
  name: 'predict_range',
  path: '/v1/predict/range',
  title: 'Predict many percentiles',
  description: `One body dimension of one population at up to ${maxItems} percentiles.`,
  toolDescription: `Predict one body dimension at ${minItems} to ${maxItems} percentiles of one population. Use it for the span a product must adjust over, such as the 5th to 95th percentile of popliteal height, or to sketch a size run. Not for age ranges or both genders: population_percentiles. ${WITH_DEFAULTS} ${NO_SUCH_PERSON} ${POSTURE_TRAP} ${EXACT_NAMES}`,
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

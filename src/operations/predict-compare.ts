import Type, { type Static } from 'typebox';
import { COUNTRIES_LIMITS } from '../core/limits.js';
import { fromMm } from '../core/units.js';
import { curveValue, zOfPercentile } from '../lookup/cell.js';
import {
  answerFields,
  closedObject,
  DEFAULTS,
  paidAnswer,
  requestFields,
  toolTexts,
} from './fields.js';
import { costsOnePer, defineOperation } from './operation.js';
import { cellOf } from './prediction-model.js';

const { minItems, maxItems } = COUNTRIES_LIMITS;

const request = closedObject({
  measurement: requestFields.measurement('Dimension to predict.'),
  ...requestFields.person,
  percentile: requestFields.percent('Percentile within each population.'),
  countries: Type.Array(requestFields.country('A country.'), {
    minItems,
    maxItems,
    uniqueItems: true,
    description: `Countries to compare, ${minItems} to ${maxItems}, no two alike.`,
  }),
  ...requestFields.options,
});

const response = paidAnswer({
  measurement: answerFields.measurement('Dimension predicted.'),
  gender: answerFields.gender('Gender of the populations.'),
  percentile: answerFields.number('Percentile asked for.'),
  clothing: answerFields.clothing('Clothing applied.'),
  posture: answerFields.posture('Posture applied.'),
  unit: answerFields.unit('Unit of every `value`.'),
  values: Type.Array(
    Type.Object({
      country: answerFields.country('Country asked for.'),
      value: answerFields.number('Predicted length, in `unit`.'),
    }),
    { description: 'One entry per country, in the order asked.' },
  ),
});

/** POST /v1/predict/compare: one percentile, many countries (specification, 4.6). */
export const predictCompare = defineOperation({
  name: 'predict_compare',
  path: '/v1/predict/compare',
  title: 'Compare countries',
  description: `One body dimension at one percentile in up to ${maxItems} countries.`,
  toolDescription: `Predict one body dimension at one percentile in ${minItems} to ${maxItems} countries. Use it to compare markets, or to see where a product would not fit. Does not compare ages or genders. Clothing defaults to ${DEFAULTS.clothing}, posture to ${DEFAULTS.posture}. ${toolTexts.posture} ${toolTexts.names}`,
  toolPrice: costsOnePer('country'),
  command: { name: 'compare', summary: 'compare countries' },
  price: '1 per returned country',
  request,
  response,
  example: {
    measurement: 'Stature',
    gender: 'Female',
    age: 25,
    percentile: 50,
    countries: ['NL', 'JP', 'GT'],
    unit: 'cm',
  },
  refusals: {},
  cost: (input) => input.countries.length,
  run(input, model): Static<typeof response> {
    const { measurement, gender, clothing, posture, unit } = cellOf(input);
    const { percentile, countries } = input;
    const z = zOfPercentile(percentile);
    return {
      measurement,
      gender,
      percentile,
      clothing,
      posture,
      unit,
      values: countries.map((country) => {
        const curve = model.curve(cellOf({ ...input, country }));
        return { country, value: fromMm(curveValue(curve, z), unit) };
      }),
    };
  },
});

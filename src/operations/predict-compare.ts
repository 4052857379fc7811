import Type, { type Static } from 'typebox';
import { fromMm } from '../core/units.js';
import { zOfPercentile } from '../lookup/normal.js';
import { curveValue } from '../lookup/quantile-curve.js';
import {
  answerFields,
  countryField,
  measurementField,
  optionFields,
  percentField,
  personFields,
  remainingFreeCallsField,
  withDefaults,
} from './fields.js';
import { defineOperation } from './operation.js';

const request = Type.Object(
  {
    measurement: measurementField('Dimension to predict.'),
    ...personFields,
    percentile: percentField('Percentile within each population.'),
    countries: Type.Array(countryField('A country.'), {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'Countries to compare, 1 to 10, no two alike.',
    }),
    ...optionFields,
  },
  { additionalProperties: false },
);

const response = Type.Object({
  measurement: answerFields.text('Dimension predicted.'),
  gender: answerFields.text('Gender of the populations.'),
  percentile: answerFields.number('Percentile asked for.'),
  clothing: answerFields.text('Clothing applied.'),
  posture: answerFields.text('Posture applied.'),
  unit: answerFields.text('Unit of every `value`.'),
  values: Type.Array(
    Type.Object({
      country: answerFields.text('Country asked for.'),
      value: answerFields.number('Predicted length, in `unit`.'),
    }),
    { description: 'One entry per country, in the order asked.' },
  ),
  ...remainingFreeCallsField,
});

/** POST /v1/predict/compare: one percentile, many countries (specification, 4.6). */
export const predictCompare = defineOperation({
  name: 'predict_compare',
  path: '/v1/predict/compare',
  title: 'Compare countries',
  description: 'One body dimension at one percentile in up to 10 countries.',
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
  cost: (input) => input.countries.length,
  run(input, model): Static<typeof response> {
    const options = withDefaults(input);
    const { measurement, gender, age, percentile, countries } = input;
    const z = zOfPercentile(percentile);
    return {
      measurement,
      gender,
      percentile,
      ...options,
      values: countries.map((country) => {
        const curve = model.curve({ measurement, gender, age, country, ...options });
        return { country, value: fromMm(curveValue(curve, z), options.unit) };
      }),
    };
  },
});

import Type, { type Static } from 'typebox';
import { COUNTRIES_LIMITS, PERCENTILES_LIMITS } from '../core/limits.js';
import { fromMm } from '../core/units.js';
import { curveValue, zOfPercentile } from '../lookup/cell.js';
import {
  answerFields,
  appliedFields,
  closedObject,
  DEFAULTS,
  paidAnswer,
  requestFields,
} from './fields.js';
import { costsOnePer, defineOperation, PRICE_OF_ONE } from './operation.js';
import { cellOf } from './prediction-model.js';

/** Keeps agents from combining percentiles of several dimensions. */
const NO_SUCH_PERSON =
  'Nobody is at the 95th percentile of everything: use population_share or design_ranges for several dimensions together.';

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
  toolDescription: `Predict one body dimension at one percentile of one population (gender, exact age, country). Use it for a single design value, such as the hip breadth a seat must fit for 95 % of women. For several percentiles use predict_range, for several countries predict_compare, for BodyMass, age ranges or both genders population_percentiles. Country defaults to ${DEFAULTS.country}, clothing to ${DEFAULTS.clothing}. ${NO_SUCH_PERSON}`,
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

const rangeRequest = closedObject({
  measurement: requestFields.measurement('Dimension to predict.'),
  ...requestFields.person,
  percentiles: Type.Array(requestFields.percent('A percentile within the population.'), {
    ...PERCENTILES_LIMITS,
    uniqueItems: true,
    description: `Percentiles to predict, ${PERCENTILES_LIMITS.minItems} to ${PERCENTILES_LIMITS.maxItems}, no two alike.`,
  }),
  ...requestFields.countryOption,
  ...requestFields.options,
});

const rangeResponse = paidAnswer({
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
  description: `One body dimension of one population at up to ${PERCENTILES_LIMITS.maxItems} percentiles.`,
  toolDescription: `Predict one body dimension at ${PERCENTILES_LIMITS.minItems} to ${PERCENTILES_LIMITS.maxItems} percentiles of one population. Use it for the span a product must adjust over, such as the 5th to 95th percentile of popliteal height, or to sketch a size run. Not for age ranges or both genders: population_percentiles. ${NO_SUCH_PERSON}`,
  toolPrice: costsOnePer('percentile'),
  command: { name: 'range', summary: 'predict many percentiles' },
  price: '1 per returned percentile',
  request: rangeRequest,
  response: rangeResponse,
  example: {
    measurement: 'Stature',
    gender: 'Male',
    age: 30,
    percentiles: [5, 50, 95],
    country: 'NL',
  },
  refusals: {},
  cost: (input) => input.percentiles.length,
  run(input, model): Static<typeof rangeResponse> {
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

const compareRequest = closedObject({
  measurement: requestFields.measurement('Dimension to predict.'),
  ...requestFields.person,
  percentile: requestFields.percent('Percentile within each population.'),
  countries: Type.Array(requestFields.country('A country.'), {
    ...COUNTRIES_LIMITS,
    uniqueItems: true,
    description: `Countries to compare, ${COUNTRIES_LIMITS.minItems} to ${COUNTRIES_LIMITS.maxItems}, no two alike.`,
  }),
  ...requestFields.options,
});

const compareResponse = paidAnswer({
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
  description: `One body dimension at one percentile in up to ${COUNTRIES_LIMITS.maxItems} countries.`,
  toolDescription: `Predict one body dimension at one percentile in ${COUNTRIES_LIMITS.minItems} to ${COUNTRIES_LIMITS.maxItems} countries. Use it to compare markets (at P5, P50 and P95 of each gender), or to see where a product would not fit. Does not compare ages or genders.`,
  toolPrice: costsOnePer('country'),
  command: { name: 'compare', summary: 'compare countries' },
  price: '1 per returned country',
  request: compareRequest,
  response: compareResponse,
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
  run(input, model): Static<typeof compareResponse> {
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

import Type, { type Static } from 'typebox';
import { PERCENTILES_LIMITS, POPULATION_BODY_BYTES_MAX } from '../core/limits.js';
import {
  answerFields,
  BODY_MEASUREMENTS,
  bodyMeasurementField,
  massUnitField,
  optionFields,
  remainingFreeCallsField,
} from './fields.js';
import { defineOperation } from './operation.js';
import {
  EMPTY_POPULATION,
  groupFields,
  populationFaults,
  populationField,
  rarePercentField,
  unitFields,
} from './population-fields.js';
import { checkQuantity, dressOf, peopleOf, toAnswer, unitsOf } from './population-request.js';
import { costsOnePer, NAMES_AND_UNITS } from './tool-texts.js';

/** Percentiles of one measurement that one credit pays for. */
const PERCENTILES_PER_CREDIT = 5;

const request = Type.Object(
  {
    population: populationField,
    measurements: Type.Array(bodyMeasurementField('A measurement.'), {
      minItems: 1,
      maxItems: BODY_MEASUREMENTS.length,
      uniqueItems: true,
      description: 'Measurements of the data sheet, no two alike.',
    }),
    percentiles: Type.Array(rarePercentField('A percentile of the population.'), {
      ...PERCENTILES_LIMITS,
      uniqueItems: true,
      description: 'Percentiles of each measurement, no two alike.',
    }),
    ...optionFields,
    ...massUnitField,
  },
  { additionalProperties: false },
);

const response = Type.Object({
  people: answerFields.number('Head count of the population.'),
  groups: Type.Array(Type.Object(groupFields), { description: 'The groups in the order asked.' }),
  ...unitFields,
  measurements: Type.Array(
    Type.Object({
      measurement: answerFields.text('Measurement asked for.'),
      mean: answerFields.number('Mean.'),
      sd: answerFields.number('Standard deviation.'),
      values: Type.Array(
        Type.Object({
          percentile: answerFields.number('Percentile asked for.'),
          value: answerFields.number('Value at the percentile.'),
          numericalError: Type.Optional(
            answerFields.number('Half width of the 95 % interval of `value`; only with `keep`.'),
          ),
        }),
        { description: 'The percentiles in the order asked.' },
      ),
    }),
    { description: 'The measurements in the order asked.' },
  ),
  ...remainingFreeCallsField,
});

/** POST /v1/population/percentiles: a data sheet of a population. */
export const populationPercentiles = defineOperation({
  name: 'population_percentiles',
  path: '/v1/population/percentiles',
  title: 'Percentiles of a population',
  description:
    'Mean, standard deviation and percentiles of up to 150 measurements in a mixed population: several countries, both genders, a range of ages.',
  toolDescription: `Mean, standard deviation and percentiles of measurements in a population of groups (countries, ages, gender), as a data sheet. Percentiles may be 0.1 to 99.9. BodyMass and BMI are measurements here too. ${NAMES_AND_UNITS} ${costsOnePer(`measurement and ${PERCENTILES_PER_CREDIT} percentiles begun`)}`,
  command: { name: 'percentiles', summary: 'percentiles of a population' },
  price: `1 per measurement and ${PERCENTILES_PER_CREDIT} percentiles begun`,
  heavy: true,
  bodyBytesMax: POPULATION_BODY_BYTES_MAX,
  request,
  response,
  example: {
    population: {
      groups: [
        { countries: ['DE', 'FR'], gender: 'Female', ageMin: 18, ageMax: 65, share: 0.4 },
        { countries: ['World'], ageMin: 20, ageMax: 40, share: 0.6 },
      ],
    },
    measurements: ['Stature', 'SittingHeight', 'BodyMass'],
    percentiles: [5, 50, 95],
  },
  refusals: {
    population_empty: {
      population: EMPTY_POPULATION,
      measurements: ['Stature'],
      percentiles: [50],
    },
  },
  check: ({ population }) => populationFaults(population),
  cost: ({ measurements, percentiles }) =>
    measurements.length * Math.ceil(percentiles.length / PERCENTILES_PER_CREDIT),
  run(input, model): Static<typeof response> {
    const units = unitsOf(input);
    const people = peopleOf(input.population, units, model);
    const { joint, market, distributions, keep } = people;
    const dress = dressOf(input);
    const quantities = input.measurements.map((name) => joint.bodies.indexOf(name));
    for (const quantity of quantities) checkQuantity(joint, market, quantity, dress);
    return {
      people: people.people,
      groups: [...people.groups],
      ...units,
      measurements: quantities.map((quantity) => {
        const distribution = distributions.of(quantity, dress);
        const shown = (value: number): number => toAnswer(joint, quantity, value, units);
        const { mean, sd } = distribution.moments();
        return {
          measurement: joint.bodies.names[quantity] as string,
          mean: shown(mean),
          sd: shown(sd),
          values: input.percentiles.map((percentile) => ({
            percentile,
            value: shown(distribution.value(percentile)),
            ...(keep.length === 0 ? {} : { numericalError: shown(distribution.error(percentile)) }),
          })),
        };
      }),
    };
  },
});

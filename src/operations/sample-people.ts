import { randomInt } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { COUNTRY_CODES } from '../core/countries.js';
import { GENDERS } from '../core/genders.js';
import { POPULATION_BODY_BYTES_MAX, SAMPLE_LIMITS, SEED_LIMITS } from '../core/limits.js';
import { PeopleSource } from '../population/people.js';
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
  populationFaults,
  populationField,
  unitFields,
} from './population-fields.js';
import { checkPosture, dressOf, peopleOf, toAnswer, unitsOf } from './population-request.js';
import { NAMES_AND_UNITS } from './tool-texts.js';

/** People that one credit pays for. */
const PEOPLE_PER_CREDIT = 10;

const request = Type.Object(
  {
    population: populationField,
    count: Type.Integer({ ...SAMPLE_LIMITS, description: 'Number of people.' }),
    measurements: Type.Optional(
      Type.Array(bodyMeasurementField('A measurement.'), {
        minItems: 1,
        maxItems: BODY_MEASUREMENTS.length,
        uniqueItems: true,
        description: 'Measurements of each person; all if omitted.',
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        ...SEED_LIMITS,
        description: 'The same seed gives the same people. It is drawn if omitted.',
      }),
    ),
    ...optionFields,
    ...massUnitField,
  },
  { additionalProperties: false },
);

const response = Type.Object({
  people: Type.Array(
    Type.Object({
      country: answerFields.text('Country of the person.'),
      gender: answerFields.text('Gender of the person.'),
      age: answerFields.number('Completed age in years.'),
      measurements: Type.Record(Type.String(), answerFields.number('Value of the measurement.'), {
        description: 'Measurements of the person that have a model, by name.',
      }),
    }),
    { description: 'The people.' },
  ),
  seed: answerFields.number('Seed of the people.'),
  artifactVersion: answerFields.text('Version of the data that the people were drawn from.'),
  ...unitFields,
  ...remainingFreeCallsField,
});

/** POST /v1/population/people: people drawn from a population. */
export const samplePeople = defineOperation({
  name: 'sample_people',
  path: '/v1/population/people',
  title: 'Sample people',
  description: `Up to ${SAMPLE_LIMITS.maximum} people drawn from a population, each with consistent measurements.`,
  toolDescription: `Draw people from a population (groups of countries, ages and gender). Each person has a country, a gender, an age and consistent measurements: parts sum to wholes. Name the measurements that you need, because all of them are long; an answer over MCP holds about 50 people with a few measurements. The same seed gives the same people. ${NAMES_AND_UNITS} Costs 1 credit or free call per ${PEOPLE_PER_CREDIT} people begun on success, nothing otherwise.`,
  command: { name: 'people', summary: 'people drawn from a population' },
  price: `1 per ${PEOPLE_PER_CREDIT} people begun`,
  heavy: true,
  bodyBytesMax: POPULATION_BODY_BYTES_MAX,
  request,
  response,
  example: {
    population: { groups: [{ countries: ['DE', 'JP'], ageMin: 18, ageMax: 65 }] },
    count: 3,
    measurements: ['Stature', 'SittingHeight', 'LegLength', 'BodyMass'],
    seed: 7,
  },
  refusals: {
    population_empty: {
      population: EMPTY_POPULATION,
      count: 1,
    },
  },
  check: ({ population }) => populationFaults(population),
  cost: ({ count }) => Math.ceil(count / PEOPLE_PER_CREDIT),
  draw: ({ seed = randomInt(SEED_LIMITS.maximum + 1) }) => ({ seed }),
  run(input, model): Static<typeof response> {
    const units = unitsOf(input);
    const { joint, market, keep } = peopleOf(input.population, units, model);
    const { bodies } = joint;
    const dress = dressOf(input);
    const names = input.measurements ?? bodies.names;
    const quantities = names.map((name) => bodies.indexOf(name));
    if (input.measurements !== undefined) {
      for (const quantity of quantities) checkPosture(joint, quantity, dress);
    }
    const { seed = 0, count } = input;
    const source = new PeopleSource(joint, market, keep, seed);
    const [nude, dressed] = [joint.curves(), joint.curves(dress)];
    const isDressed = dress.clothing !== 0 || dress.posture !== 0;
    const people = Array.from({ length: count }, (_, i) => {
      const { cohort, values } = source.person(i);
      if (isDressed) {
        nude.at(cohort);
        dressed.at(cohort);
        joint.dress(nude, dressed, values);
      }
      return {
        country: COUNTRY_CODES[cohort.country] as string,
        gender: GENDERS[cohort.gender] as string,
        age: Math.floor(cohort.ageYears),
        measurements: Object.fromEntries(
          quantities.flatMap((quantity) => {
            const value = values[quantity] as number;
            const name = bodies.names[quantity] as string;
            return Number.isNaN(value) ? [] : [[name, toAnswer(joint, quantity, value, units)]];
          }),
        ),
      };
    });
    return { people, seed, artifactVersion: model.artifactVersion, ...units };
  },
});

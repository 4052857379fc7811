import Type, { type Static } from 'typebox';
import { COUNTRY_CODES } from '../core/countries.js';
import { GENDERS } from '../core/genders.js';
import { TARGET_SHARE_LIMITS } from '../core/limits.js';
import { roundShare } from '../core/units.js';
import { caseNames } from '../population/case-names.js';
import { boundaryCases as findCases } from '../population/cases.js';
import { answerFields, closedObject, paidAnswer, requestFields } from './fields.js';
import { defineOperation, fixedPrice } from './operation.js';
import {
  EMPTY_POPULATION,
  ON_PEOPLE,
  peopleFields,
  peopleOf,
  populationFaults,
  populationField,
  unitFields,
} from './population-request.js';
import { boxMs, stepsOf } from './work.js';

const COST = 10;
const MEASUREMENTS = { minItems: 2, maxItems: 8 } as const;
const CASES = { minimum: 4, maximum: 32 } as const;
/** Maximum number of cases in the answer of a tool. Each case has all measurements and takes 4,300 bytes. */
const TOOL_CASES_MAX = 5;

const fields = {
  population: populationField,
  measurements: Type.Array(
    requestFields.bodyMeasurement('A measurement that the design depends on.'),
    {
      ...MEASUREMENTS,
      uniqueItems: true,
      description: 'Measurements that the design depends on, no two alike.',
    },
  ),
  targetShare: Type.Number({
    ...TARGET_SHARE_LIMITS,
    description: 'Share of the people that a design accommodates when it fits every case.',
  }),
  count: Type.Integer({ ...CASES, description: 'Number of cases.' }),
  ...requestFields.options,
  ...requestFields.massUnit,
};

const request = closedObject(fields);

const response = paidAnswer({
  ...peopleFields,
  share: answerFields.number(
    'Share of the people, 0 to 1, that a design accommodates when it fits every case; below the target where the cases are too few for the measurements.',
  ),
  numericalError: answerFields.number('Half width of the 95 % interval of `share`, a fraction.'),
  ...unitFields,
  cases: Type.Array(
    Type.Object({
      name: answerFields.text('What is special about the person, no two alike.'),
      country: answerFields.country('Country where such a person is most probable.'),
      gender: answerFields.gender('Gender of the person.'),
      age: answerFields.number('Completed age in years.'),
      measurements: Type.Record(Type.String(), answerFields.number('Value of the measurement.'), {
        description: 'All measurements of the person that have a model, by name.',
      }),
    }),
    { description: 'The cases in pairs of opposites.' },
  ),
});

/** POST /v1/population/cases: people to test a design with. */
export const boundaryCases = defineOperation({
  name: 'boundary_cases',
  path: '/v1/population/cases',
  title: 'Boundary cases',
  description:
    'Whole people on the boundary of the share of a population that a design is to accommodate: test the design with them.',
  toolDescription: `Which people must the design be tested with? Give a population, ${MEASUREMENTS.minItems} to ${MEASUREMENTS.maxItems} measurements that matter, the share to accommodate and the number of cases (${CASES.minimum} to ${TOOL_CASES_MAX}). Each case is a whole person with every measurement. A design that fits every case accommodates the share in the answer. Not a random sample: sample_people.`,
  ...fixedPrice(COST),
  command: { name: 'cases', summary: 'people to test a design with' },
  ...ON_PEOPLE,
  request,
  response,
  example: {
    population: {
      groups: [
        { countries: ['OECD'], gender: 'Female', ageMin: 20, ageMax: 50, share: 0.3 },
        { countries: ['OECD'], gender: 'Male', ageMin: 20, ageMax: 50, share: 0.7 },
      ],
    },
    measurements: ['SittingHeight', 'ButtockKneeLength', 'KneeHeight', 'WorkReach'],
    targetShare: 0.9,
    count: 4,
  },
  refusals: {
    population_empty: {
      population: EMPTY_POPULATION,
      measurements: ['SittingHeight', 'KneeHeight'],
      targetShare: 0.9,
      count: 4,
    },
  },
  check: ({ population }) => populationFaults(population),
  toolRequest: closedObject({
    ...fields,
    count: Type.Integer({ ...CASES, maximum: TOOL_CASES_MAX, description: 'Number of cases.' }),
  }),
  work: {
    ms(input) {
      const steps = stepsOf(input);
      const { cells, conditions, sampled, curveMs } = steps;
      const { count } = input;
      const { length } = input.measurements;
      // The search makes ten rounds with a sample of the cells, and one round with all cells.
      const reading = 0.6 * length * (10 * sampled + cells) * curveMs;
      const people = 16 * (length + conditions);
      const likeliest = 2.4e-4 * sampled * count * length;
      const joint = 4 * boxMs(sampled, conditions + length) + boxMs(cells, conditions + length);
      return steps.populationMs + reading + people + likeliest + 0.36 * count + 0.1 * joint;
    },
    less: 'fewer measurements, cases, countries or years of age',
  },
  run(input, model): Static<typeof response> {
    const people = peopleOf(input, model);
    const { joint, peopleModel, units } = people;
    const profiles = people.profilesOf(input);
    const quantities = input.measurements.map((name) => people.quantityOf(name, profiles));
    const { targetShare, count } = input;
    const found = findCases(joint, people.kept, quantities, profiles, targetShare, count);
    const names = caseNames(
      input.measurements,
      found.cases.map(({ scores }) => scores),
    );
    return {
      ...people.headCount,
      share: roundShare(found.share),
      numericalError: roundShare(found.error),
      ...units,
      cases: found.cases.map(({ cohort, values }, i) => ({
        name: names[i] as string,
        country: COUNTRY_CODES[cohort.country] as string,
        gender: GENDERS[cohort.gender] as string,
        age: Math.floor(cohort.ageYears),
        measurements: Object.fromEntries(
          peopleModel.names.flatMap((name, quantity) => {
            const value = values[quantity] as number;
            return Number.isNaN(value) ? [] : [[name, people.shown(quantity, value)]];
          }),
        ),
      })),
    };
  },
});

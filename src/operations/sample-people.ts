import Type, { type Static } from 'typebox';
import { COUNTRY_CODES } from '../core/countries.js';
import { GENDERS } from '../core/genders.js';
import { SAMPLE_LIMITS, SEED_LIMITS, TOOL_PEOPLE_MAX } from '../core/limits.js';
import { PeopleSource } from '../population/people.js';
import type { Column, ColumnValues, RowTable } from '../table-formats/table.js';
import { formatField, jsonFormatField } from './answer-formats.js';
import {
  answerFields,
  BODY_MEASUREMENTS,
  closedObject,
  paidAnswer,
  requestFields,
} from './fields.js';
import { defineOperation } from './operation.js';
import {
  checkPosture,
  EMPTY_POPULATION,
  ON_PEOPLE,
  peopleOf,
  populationFaults,
  populationField,
  unitFields,
} from './population-request.js';
import type { PredictionModel } from './prediction-model.js';
import { listFault, NUMBER_BYTES } from './tool-answers.js';
import { STREAM_WORK_MS_MAX, stepsOf, tooLarge } from './work.js';

/** People that one credit pays for. */
const PEOPLE_PER_CREDIT = 10;

const fields = {
  population: populationField,
  count: Type.Integer({ ...SAMPLE_LIMITS, description: 'Number of people.' }),
  measurements: Type.Optional(
    Type.Array(requestFields.bodyMeasurement('A measurement.'), {
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
  ...requestFields.options,
  ...requestFields.massUnit,
};

const request = closedObject({ ...fields, ...formatField });

/**
 * Maximum number of people in a tool's answer with all measurements, and maximum number of measurements in an answer
 * with the most people.
 */
const [WHOLE_PEOPLE, FEW_MEASUREMENTS] = [5, 12];

const shortRequest = closedObject({
  ...fields,
  count: Type.Integer({
    ...SAMPLE_LIMITS,
    maximum: TOOL_PEOPLE_MAX,
    description: `Number of people; ${WHOLE_PEOPLE} with all measurements, ${TOOL_PEOPLE_MAX} with ${FEW_MEASUREMENTS}. The REST route gives more.`,
  }),
  ...jsonFormatField,
});

type Input = Static<typeof request>;

/** Size in bytes of a person in an answer, without measurements. */
const PERSON_BYTES = 75;

/** Bytes of the people of an answer at most. */
function peopleBytes({ count, measurements }: Input): number {
  const names: readonly string[] = measurements ?? BODY_MEASUREMENTS;
  const each = names.reduce((sum, name) => sum + name.length + NUMBER_BYTES + 2, PERSON_BYTES);
  return count * each;
}

const response = paidAnswer({
  people: Type.Array(
    Type.Object({
      country: answerFields.country('Country of the person.'),
      gender: answerFields.gender('Gender of the person.'),
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
});

/** POST /v1/population/people: people drawn from a population. */
export const samplePeople = defineOperation({
  name: 'sample_people',
  path: '/v1/population/people',
  title: 'Sample people',
  description: `Up to ${SAMPLE_LIMITS.maximum} people drawn from a population, each with consistent measurements.`,
  toolDescription: `Draw people from a population. Each person has a country, a gender, an age and consistent measurements: parts sum to wholes. Name the measurements that you need; an answer holds at most ${TOOL_PEOPLE_MAX} people with a few measurements. The same seed gives the same people. Not for shares: population_share is exact.`,
  toolPrice: `Costs 1 credit or free call per ${PEOPLE_PER_CREDIT} people begun on success.`,
  command: { name: 'people', summary: 'people drawn from a population' },
  price: `1 per ${PEOPLE_PER_CREDIT} people begun`,
  ...ON_PEOPLE,
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
  work: {
    ms(input) {
      const { cells, conditions, populationMs, curveMs } = stepsOf(input);
      const { count } = input;
      // A person has about 120 curves. They are read once for all people of a cell. With conditions, several people are
      // drawn for each person of the answer.
      const read = 120 * curveMs * (conditions > 0 ? count : Math.min(count, cells));
      const each = 0.08 + (conditions > 0 ? 0.16 : 0);
      return populationMs + 2 + read + each * count;
    },
    mostMs: STREAM_WORK_MS_MAX,
    less: 'fewer people, countries or years of age',
  },
  cost: ({ count }) => Math.ceil(count / PEOPLE_PER_CREDIT),
  drawsSeed: true,
  shortRequest,
  toolCheck: (input) => listFault('/count', input.count, peopleBytes(input)),
  rows: {
    open: openPeople,
    list: { field: 'people', count: ({ count }) => count, items: peopleOfRows },
  },
  run(input, model): Static<typeof response> {
    const table = openPeople(input, model);
    const people = peopleOfRows(table, table.read(0, table.rowCount));
    return { people, ...table.details } as Static<typeof response>;
  },
});

/** The columns that describe the person in each row, in addition to the measurements. */
const PERSON_COLUMNS: readonly Column[] = [
  { name: 'country', type: 'text' },
  { name: 'gender', type: 'text' },
  { name: 'age', type: 'integer' },
];

/** The people as a table. A person has no value for a measurement without a model. */
function openPeople(input: Input, model: PredictionModel): RowTable {
  const people = peopleOf(input, model);
  const { joint, market, kept, peopleModel, units } = people;
  const profiles = people.profilesOf(input);
  const names = input.measurements ?? peopleModel.names;
  const quantities = names.map((name) => peopleModel.indexOf(name));
  if (input.measurements !== undefined) {
    for (const quantity of quantities) checkPosture(joint, quantity, profiles);
  }
  const { seed = 0, count } = input;
  checkDraws(kept.keep.length, kept.keptShare, count);
  const source = new PeopleSource(joint, market, kept.keep, seed);
  const [nude, dressed] = [joint.curves(), joint.curves(profiles)];
  const isDressed = profiles.clothing !== 0 || profiles.posture !== 0;
  return {
    columns: [...PERSON_COLUMNS, ...names.map((name) => ({ name, type: 'number' }) as const)],
    rowCount: count,
    details: { seed, artifactVersion: model.artifactVersion, ...units },
    read(from, to) {
      const rows = to - from;
      const [countries, genders] = [new Array<string>(rows), new Array<string>(rows)];
      const ages = new Float64Array(rows);
      const columns = quantities.map(() => new Float64Array(rows));
      for (const person of source.byCohort(from, to)) {
        const row = person - from;
        const { cohort, values } = source.person(person);
        if (isDressed) {
          nude.at(cohort);
          dressed.at(cohort);
          joint.applyProfiles(nude, dressed, values, quantities);
        }
        countries[row] = COUNTRY_CODES[cohort.country] as string;
        genders[row] = GENDERS[cohort.gender] as string;
        ages[row] = Math.floor(cohort.ageYears);
        quantities.forEach((quantity, q) => {
          const value = values[quantity] as number;
          const column = columns[q] as Float64Array;
          column[row] = Number.isNaN(value) ? value : people.shown(quantity, value);
        });
      }
      return [countries, genders, ages, ...columns];
    },
  };
}

/** Time to draw a person and to check the conditions, in ms: per person, and per condition. */
const DRAW_MS = { each: 1.5e-3, condition: 7e-4 } as const;

/**
 * People are drawn until enough meet the conditions. The share of people who meet them is known only at this point, so
 * the estimate from the request alone does not include this work.
 *
 * @throws Problem `computation_too_large`
 */
function checkDraws(conditions: number, keptShare: number, count: number): void {
  if (conditions === 0) return;
  const ms = (count / keptShare) * (DRAW_MS.each + DRAW_MS.condition * conditions);
  const less = 'fewer people, or for wider conditions in population.keep';
  if (ms > STREAM_WORK_MS_MAX) throw tooLarge(ms, { mostMs: STREAM_WORK_MS_MAX, less });
}

/** Rows of that table as people. */
function peopleOfRows({ columns }: RowTable, values: readonly ColumnValues[]) {
  const [countries = [], genders = [], ages = []] = values;
  return Array.from(ages as Float64Array, (age, row) => {
    const measurements: Record<string, number> = {};
    for (let c = PERSON_COLUMNS.length; c < columns.length; c++) {
      const value = values[c]?.[row] as number;
      if (!Number.isNaN(value)) measurements[columns[c]?.name as string] = value;
    }
    const [country, gender] = [countries[row] as string, genders[row] as string];
    return { country, gender, age, measurements };
  });
}

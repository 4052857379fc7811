import Type, { type Static } from 'typebox';
import { PERCENTILES_LIMITS } from '../core/limits.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import type { ColumnValues, RowTable } from '../table-formats/table.js';
import { formatField, jsonFormatField } from './answer-formats.js';
import {
  answerFields,
  BODY_MEASUREMENTS,
  closedObject,
  paidAnswer,
  requestFields,
} from './fields.js';
import { costsOnePer, defineOperation } from './operation.js';
import {
  EMPTY_POPULATION,
  groupFields,
  LARGEST_POPULATION,
  ON_PEOPLE,
  peopleFields,
  peopleOf,
  populationFaults,
  populationField,
  rarePercentField,
  unitFields,
  unitOf,
} from './population-request.js';
import type { PredictionModel } from './prediction-model.js';
import { groupsBytes, groupsFault, listFault, NUMBER_BYTES } from './tool-answers.js';
import { distributionMs, stepsOf } from './work.js';

/** Percentiles of one measurement that one credit pays for. */
const PERCENTILES_PER_CREDIT = 5;

const fields = {
  population: populationField,
  measurements: Type.Array(requestFields.bodyMeasurement('A measurement.'), {
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
  ...requestFields.options,
  ...requestFields.massUnit,
};

const request = closedObject({ ...fields, ...formatField });

type Input = Static<typeof request>;

/** Size in bytes of a measurement and of a percentile in an answer, without names and numbers. */
const [MEASUREMENT_BYTES, PERCENTILE_BYTES] = [50, 60];

/** Bytes of the measurements of an answer at most. */
function sheetBytes({ measurements, percentiles }: Input): number {
  const values = percentiles.reduce(
    (sum, percentile) => sum + String(percentile).length + PERCENTILE_BYTES,
    0,
  );
  return measurements.reduce((sum, name) => {
    return sum + name.length + MEASUREMENT_BYTES + 2 * NUMBER_BYTES + values;
  }, 0);
}

const response = paidAnswer({
  ...peopleFields,
  groups: Type.Array(Type.Object(groupFields), { description: 'The groups in the order asked.' }),
  ...unitFields,
  measurements: Type.Array(
    Type.Object({
      measurement: answerFields.bodyMeasurement('Measurement asked for.'),
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
});

/** POST /v1/population/percentiles: a data sheet of a population. */
export const populationPercentiles = defineOperation({
  name: 'population_percentiles',
  path: '/v1/population/percentiles',
  title: 'Percentiles of a population',
  description:
    'Mean, standard deviation and percentiles of up to 150 measurements in a mixed population: several countries, both genders, a range of ages.',
  toolDescription: `Mean, standard deviation and percentiles of measurements in a population, as a data sheet. Percentiles may be 0.1 to 99.9. BodyMass and BMI are measurements here too. To compare two populations, ask for P5, P50 and P95 of each, nude. For a sheet with sources, add evidence. Does not say who fits several limits: population_share.`,
  toolPrice: costsOnePer(`measurement and ${PERCENTILES_PER_CREDIT} percentiles begun`),
  command: { name: 'percentiles', summary: 'percentiles of a population' },
  price: `1 per measurement and ${PERCENTILES_PER_CREDIT} percentiles begun`,
  ...ON_PEOPLE,
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
    computation_too_large: {
      population: LARGEST_POPULATION,
      measurements: [...MEASUREMENT_NAMES],
      percentiles: [5, 50, 95],
    },
  },
  check: ({ population }) => populationFaults(population),
  work: {
    ms(input) {
      const steps = stepsOf(input);
      const each = distributionMs(steps, input.percentiles.length);
      return steps.populationMs + input.measurements.length * each;
    },
    less: 'fewer measurements, percentiles, countries or years of age',
  },
  cost: ({ measurements, percentiles }) =>
    measurements.length * Math.ceil(percentiles.length / PERCENTILES_PER_CREDIT),
  toolCheck: (input) => [
    ...groupsFault(input.population),
    ...listFault(
      '/measurements',
      input.measurements.length,
      sheetBytes(input),
      groupsBytes(input.population),
    ),
  ],
  shortRequest: closedObject({ ...fields, ...jsonFormatField }),
  rows: { open: openSheet },
  run(input, model): Static<typeof response> {
    const { headCount, groups, units, measurements } = sheetOf(input, model);
    return { ...headCount, groups: [...groups], ...units, measurements: [...measurements] };
  },
});

function sheetOf(input: Input, model: PredictionModel) {
  const people = peopleOf(input, model);
  const { headCount, groups, units } = people;
  const isCut = people.kept.keep.length > 0;
  const profiles = people.profilesOf(input);
  const quantities = input.measurements.map((name) => people.quantityOf(name, profiles));
  const measurements = quantities.map((quantity) => {
    const distribution = people.distributions.of(quantity, profiles);
    const shown = (value: number): number => people.shown(quantity, value);
    const { mean, sd } = distribution.moments();
    return {
      measurement: people.peopleModel.names[quantity] as string,
      mean: shown(mean),
      sd: shown(sd),
      values: input.percentiles.map((percentile) => ({
        percentile,
        value: shown(distribution.value(percentile)),
        ...(!isCut ? {} : { numericalError: shown(distribution.error(percentile)) }),
      })),
    };
  });
  return { headCount, groups, units, measurements, isCut };
}

/** The data sheet as a table with one row for each measurement. */
function openSheet(input: Input, model: PredictionModel): RowTable {
  const { headCount, units, measurements, isCut } = sheetOf(input, model);
  const number = (name: string) => ({ name, type: 'number' }) as const;
  const column = (value: (row: (typeof measurements)[number]) => number | undefined) =>
    Float64Array.from(measurements, (row) => value(row) ?? Number.NaN);
  const { percentiles } = input;
  const values: readonly ColumnValues[] = [
    measurements.map(({ measurement }) => measurement),
    measurements.map(({ measurement }) => unitOf(measurement, units)),
    column(({ mean }) => mean),
    column(({ sd }) => sd),
    ...percentiles.map((_, p) => column((row) => row.values[p]?.value)),
    ...(isCut ? percentiles.map((_, p) => column((row) => row.values[p]?.numericalError)) : []),
  ];
  return {
    columns: [
      { name: 'measurement', type: 'text' },
      { name: 'unit', type: 'text' },
      ...['mean', 'sd', ...percentiles.map((percentile) => `P${percentile}`)].map(number),
      ...(isCut ? percentiles.map((percentile) => number(`P${percentile}NumericalError`)) : []),
    ],
    rowCount: measurements.length,
    details: { ...headCount, artifactVersion: model.artifactVersion },
    read: (from, to) => values.map((one) => one.slice(from, to)),
  };
}

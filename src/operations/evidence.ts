import Type, { type Static } from 'typebox';
import { COUNTRY_CODES } from '../core/countries.js';
import { Problem } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { fromKg, fromMm, MASS_UNITS, roundBmi, UNITS } from '../core/units.js';
import { type CellEvidence, medianInterval } from '../lookup/evidence.js';
import { GRADES, type Grade, SURVEY_ROLES, Z_MEDIAN } from '../lookup/format.js';
import type { WeightedCohorts } from '../population/people-model.js';
import { restsOn } from './evidence-basis.js';
import { answerFields, closedObject, requestFields } from './fields.js';
import { defineOperation } from './operation.js';
import { cellOf, type PredictionModel } from './prediction-model.js';

const BMI_UNIT = 'kg/m²';
/** Share of the people who at least have the grade of a population, or a worse one. */
const GRADED_SHARE = 0.1;

const request = closedObject({
  measurement: requestFields.bodyMeasurement('Dimension, `BodyMass` or `BMI`.'),
  ...requestFields.person,
  ...requestFields.countryOption,
  unit: requestFields.options.unit,
  ...requestFields.massUnit,
});

const response = Type.Object({
  measurement: answerFields.bodyMeasurement('Measurement asked for.'),
  country: answerFields.country('Country applied.'),
  gender: answerFields.gender('Gender of the population.'),
  age: answerFields.number('Exact age in years.'),
  unit: answerFields.oneOf(
    [...UNITS, ...MASS_UNITS, BMI_UNIT],
    'Unit of `median`, `low` and `high`; kg/m² for BMI.',
  ),
  grade: answerFields.oneOf(
    GRADES,
    'Expected error of the median, 0.8 standard errors: A up to 0.2 SD of the dimension, B up to 0.3, C up to 0.45, D more.',
  ),
  measuredHere: Type.Boolean({
    description: 'Whether a survey of this country measured it (mass, BMI: stature).',
  }),
  median: answerFields.number('Median of nude people, in `unit`.'),
  low: answerFields.number(
    'Lower end of the 90 % interval: medians that a national survey may find, in `unit`.',
  ),
  high: answerFields.number('Upper end of this interval, in `unit`.'),
  basis: answerFields.text('What the median rests on, in one sentence.'),
  ownWeight: Type.Optional(answerFields.number('Weight of own surveys.')),
  surveys: Type.Array(
    Type.Object({
      name: answerFields.text('Name of the survey.'),
      year: answerFields.number('Year of measurement; the last one where it took several.'),
      country: answerFields.country('Country of the people measured.'),
      n: answerFields.number('People of the gender asked for.'),
      role: answerFields.oneOf(
        SURVEY_ROLES,
        '`base`, `general population`, `growth` (children) or `departure` (a national study).',
      ),
    }),
    {
      description: 'Surveys that measured it: of the country, else its region, else the base.',
    },
  ),
  notes: Type.Array(Type.String(), { description: 'What is borrowed or computed, in sentences.' }),
});

/** POST /v1/evidence: how well a median is known, and the surveys behind it. */
export const evidence = defineOperation({
  name: 'evidence',
  path: '/v1/evidence',
  title: 'Evidence for a number',
  description:
    'How well the median of a dimension, of body mass or of BMI is known in one population: grade, 90 % interval, and the surveys behind it.',
  toolDescription: `How far can a number be trusted? For one dimension (or BodyMass or BMI) of one population (gender, exact age, country) it answers a grade from A to D (the size of the error), whether this country measured it, the 90 % interval of the median, the surveys behind it, and what is borrowed. The interval is the error of the median, not the spread of people.`,
  toolPrice: 'Costs nothing; counts against the rate limit.',
  command: { name: 'evidence', summary: 'how well a number is known' },
  price: 'free',
  outsideCatalog: true,
  request,
  response,
  example: { measurement: 'SittingHeight', gender: 'Female', age: 40, country: 'DE' },
  refusals: {},
  cost: () => 0,
  run(input, model): Static<typeof response> {
    const { measurement, massUnit = 'kg' } = input;
    const population = cellOf(input);
    const { gender, country, age } = population;
    const isBody = measurement === 'BMI' || measurement === 'BodyMass';
    const curve = isBody ? model.bodyCurve(measurement, population) : model.curve(population);
    const median = curve[Z_MEDIAN] as number;
    const found = model.evidence(measurement, population);
    const [low, high] = medianInterval(median, found);
    const inUnit = (value: number): number => {
      if (measurement === 'BMI') return roundBmi(value);
      return isBody ? fromKg(value, massUnit) : fromMm(value, population.unit);
    };
    const unit = isBody ? massUnit : population.unit;
    return {
      measurement,
      country,
      gender,
      age,
      unit: measurement === 'BMI' ? BMI_UNIT : unit,
      grade: found.grade,
      median: inUnit(median),
      low: inUnit(low),
      high: inUnit(high),
      ...restsOn(model.manifest, { measurement, gender, country, age }),
    };
  },
});

/** How well the medians of a measurement are known in a population. */
export interface PopulationEvidence {
  /** The grade of its people; a tenth of them have a worse one at most. */
  readonly grade: Grade;
  /** 90 % error of a median, as a share of it: the mean over the people. */
  readonly error: number;
}

/** The evidence for a measurement, over all cells of a population. Undefined if the model has none. */
export function populationEvidence(
  model: PredictionModel,
  measurement: string,
  { cohorts, weights }: WeightedCohorts,
): PopulationEvidence | undefined {
  const shares = new Float64Array(GRADES.length);
  let error = 0;
  for (const [c, { country, gender, ageYears }] of cohorts.entries()) {
    const weight = weights[c] as number;
    const found = evidenceAt(model, measurement, {
      gender: GENDERS[gender] as (typeof GENDERS)[number],
      country: COUNTRY_CODES[country] as string,
      age: ageYears,
    });
    if (found === undefined) return undefined;
    error += weight * (medianInterval(1, found)[1] - 1);
    const grade = GRADES.indexOf(found.grade);
    shares[grade] = (shares[grade] as number) + weight;
  }
  let worse = 0;
  let grade = GRADES.length - 1;
  while (grade > 0) {
    worse += shares[grade] as number;
    if (worse > GRADED_SHARE) break;
    grade -= 1;
  }
  return { grade: GRADES[grade] as Grade, error };
}

function evidenceAt(
  model: PredictionModel,
  measurement: string,
  person: Parameters<PredictionModel['evidence']>[1],
): CellEvidence | undefined {
  try {
    return model.evidence(measurement, person);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

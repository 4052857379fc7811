import Type, { type Static } from 'typebox';
import { fromKg, fromMm, MASS_UNITS, roundBmi, UNITS } from '../core/units.js';
import { medianInterval } from '../lookup/evidence.js';
import { GRADES, SURVEY_ROLES, Z_MEDIAN } from '../lookup/format.js';
import { restsOn } from './evidence-basis.js';
import { answerFields, closedObject, requestFields } from './fields.js';
import { defineOperation } from './operation.js';
import { cellOf } from './prediction-model.js';

const BMI_UNIT = 'kg/m²';

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

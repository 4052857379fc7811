import type { Static, TObject } from 'typebox';
import { boundaryCases } from '../../../src/operations/boundary-cases.js';
import { completePerson } from '../../../src/operations/complete-person.js';
import { connectedDimension } from '../../../src/operations/connected-dimension.js';
import { designRanges } from '../../../src/operations/design-ranges.js';
import { evidence } from '../../../src/operations/evidence.js';
import type { Operation } from '../../../src/operations/operation.js';
import { percentileLookup } from '../../../src/operations/percentile-lookup.js';
import { populationPercentiles } from '../../../src/operations/population-percentiles.js';
import { populationShare } from '../../../src/operations/population-share.js';
import { predict } from '../../../src/operations/predict.js';
import { predictCompare } from '../../../src/operations/predict-compare.js';
import { predictRange } from '../../../src/operations/predict-range.js';
import type { PredictionModel } from '../../../src/operations/prediction-model.js';
import { samplePeople } from '../../../src/operations/sample-people.js';
import { sizeChart } from '../../../src/operations/size-chart.js';

// Thirty design briefs in everyday words. The right answers are computed without MCP: a person has
// read each brief and has written the request that answers it. The briefs were written before the
// solver, and the solver sees only their texts.

/** What answers a brief: numbers, or a word such as a grade, a country or yes. */
export type Answer = readonly (number | string)[];

/** A question of a designer, and its right answer. */
export interface Brief {
  readonly text: string;
  readonly right: (model: PredictionModel) => Answer;
}

/** The answer of an operation to a request, and what of it answers the brief. */
function by<Request extends TObject, Response extends TObject>(
  operation: Operation<string, Request, Response>,
  input: Static<Request>,
  pick: (answer: Static<Response>) => Answer,
) {
  return (model: PredictionModel): Answer => pick(operation.run(input, model));
}

const people = (
  countries: string[],
  ageMin: number,
  ageMax: number,
  gender?: 'Female' | 'Male',
) => ({
  groups: [{ countries, ageMin, ageMax, ...(gender === undefined ? {} : { gender }) }],
});

export const BRIEFS: readonly Brief[] = [
  {
    text: 'What is the inseam in inches of a German man aged 30 at the median?',
    right: by(
      predict,
      {
        measurement: 'CrotchHeight',
        gender: 'Male',
        age: 30,
        percentile: 50,
        country: 'DE',
        unit: 'in',
      },
      ({ value }) => [value],
    ),
  },
  {
    text: 'How tall is a man of 25 years in the Netherlands at the 95th percentile, in cm?',
    right: by(
      predict,
      {
        measurement: 'Stature',
        gender: 'Male',
        age: 25,
        percentile: 95,
        country: 'NL',
        unit: 'cm',
      },
      ({ value }) => [value],
    ),
  },
  {
    text: 'Does a 1900 mm bed fit the body height of a man aged 30 in the Netherlands at the 95th percentile? Yes or no.',
    right: by(
      predict,
      { measurement: 'Stature', gender: 'Male', age: 30, percentile: 95, country: 'NL' },
      ({ value }) => [value <= 1900 ? 'yes' : 'no'],
    ),
  },
  {
    text: 'What percentage of women aged 40 in the United States is shorter than a stature of 1700 mm?',
    right: by(
      percentileLookup,
      { measurement: 'Stature', gender: 'Female', age: 40, value: 1700, country: 'US' },
      ({ percentile }) => [percentile],
    ),
  },
  {
    text: 'Compare the shoulder width of men aged 35 at the 95th percentile in Japan, Germany and Brazil.',
    right: by(
      predictCompare,
      {
        measurement: 'ShoulderBreadthBideltoid',
        gender: 'Male',
        age: 35,
        percentile: 95,
        countries: ['JP', 'DE', 'BR'],
      },
      ({ values }) => values.map(({ value }) => value),
    ),
  },
  {
    text: 'Give the 5th, 50th and 95th percentile of the hip breadth sitting of women aged 45 in France.',
    right: by(
      predictRange,
      {
        measurement: 'SittingHipBreadth',
        gender: 'Female',
        age: 45,
        percentiles: [5, 50, 95],
        country: 'FR',
      },
      ({ values }) => values.map(({ value }) => value),
    ),
  },
  {
    text: 'At which percentile of men aged 20 in Japan is a shoe size of 270 mm?',
    right: by(
      percentileLookup,
      { measurement: 'FootLength', gender: 'Male', age: 20, value: 270, country: 'JP' },
      ({ percentile }) => [percentile],
    ),
  },
  {
    text: 'How high must a door be for the stature of a man aged 30 in the Netherlands at the 99th percentile in winter clothing?',
    right: by(
      predict,
      {
        measurement: 'Stature',
        gender: 'Male',
        age: 30,
        percentile: 99,
        country: 'NL',
        clothing: 'winter',
      },
      ({ value }) => [value],
    ),
  },
  {
    text: 'Which hat size has the median woman aged 50 in South Korea?',
    right: by(
      predict,
      { measurement: 'HeadGirth', gender: 'Female', age: 50, percentile: 50, country: 'KR' },
      ({ value }) => [value],
    ),
  },
  {
    text: 'What is the popliteal height of a woman aged 60 in India at the 5th percentile wearing shoes?',
    right: by(
      predict,
      {
        measurement: 'PoplitealHeight',
        gender: 'Female',
        age: 60,
        percentile: 5,
        country: 'IN',
        clothing: 'shoes',
      },
      ({ value }) => [value],
    ),
  },
  {
    text: 'How tall is the median girl of 8.5 years in Kenya?',
    right: by(
      predict,
      { measurement: 'Stature', gender: 'Female', age: 8.5, percentile: 50, country: 'KE' },
      ({ value }) => [value],
    ),
  },
  {
    text: 'Given men aged 40 in Sweden whose stature is at the 5th percentile, which central range of forward reach covers 90 percent of them?',
    right: by(
      connectedDimension,
      {
        anchorMeasurement: 'Stature',
        anchorPercentile: 5,
        linkedMeasurement: 'WorkReach',
        accommodationPercent: 90,
        gender: 'Male',
        age: 40,
        country: 'SE',
      },
      ({ lowerBound, upperBound }) => [lowerBound, upperBound],
    ),
  },
  {
    text: 'Given women aged 30 in Italy whose stature is at the 95th percentile, predict the mean of their sitting height (range 80 percent).',
    right: by(
      connectedDimension,
      {
        anchorMeasurement: 'Stature',
        anchorPercentile: 95,
        linkedMeasurement: 'SittingHeight',
        accommodationPercent: 80,
        gender: 'Female',
        age: 30,
        country: 'IT',
      },
      ({ conditionalMean }) => [conditionalMean],
    ),
  },
  {
    text: 'What share of people aged 20 to 65 in Germany and Japan has a sitting height of at most 960 mm?',
    right: by(
      populationShare,
      {
        population: people(['DE', 'JP'], 20, 65),
        limits: [{ measurement: 'SittingHeight', max: 960 }],
      },
      ({ share }) => [share],
    ),
  },
  {
    text: 'What share of women aged 18 to 40 in the European Union has a weight of at most 80 kg?',
    right: by(
      populationShare,
      {
        population: people(['EU27'], 18, 40, 'Female'),
        limits: [{ measurement: 'BodyMass', max: 80 }],
      },
      ({ share }) => [share],
    ),
  },
  {
    text: 'What share of men aged 20 to 60 in the OECD fits a hip breadth sitting of at most 420 mm and a sitting height of at most 950 mm together?',
    right: by(
      populationShare,
      {
        population: people(['OECD'], 20, 60, 'Male'),
        limits: [
          { measurement: 'SittingHipBreadth', max: 420 },
          { measurement: 'SittingHeight', max: 950 },
        ],
      },
      ({ share }) => [share],
    ),
  },
  {
    text: 'Which range of popliteal height, both sides limited, serves 90 % of women aged 20 to 65 in Germany wearing shoes?',
    right: by(
      designRanges,
      {
        population: people(['DE'], 20, 65, 'Female'),
        targetShare: 0.9,
        dimensions: [{ measurement: 'PoplitealHeight', side: 'both' }],
        clothing: 'shoes',
      },
      ({ ranges }) => [ranges[0]?.min ?? 0, ranges[0]?.max ?? 0],
    ),
  },
  {
    text: 'Which max range of elbow height and eye height serves 95 % of people aged 18 to 65 in Italy and Spain together?',
    right: by(
      designRanges,
      {
        population: people(['IT', 'ES'], 18, 65),
        targetShare: 0.95,
        dimensions: [
          { measurement: 'ElbowHeight', side: 'max' },
          { measurement: 'EyeHeight', side: 'max' },
        ],
      },
      ({ ranges }) => ranges.map(({ max = 0 }) => max),
    ),
  },
  {
    text: 'Which 4 people must a cab be tested with, so that it accommodates 90 % of people aged 20 to 60 in Canada by sitting height and buttock-knee length? Give the share that fits every case.',
    right: by(
      boundaryCases,
      {
        population: people(['CA'], 20, 60),
        measurements: ['SittingHeight', 'ButtockKneeLength'],
        targetShare: 0.9,
        count: 4,
      },
      ({ share }) => [share],
    ),
  },
  {
    text: 'Which 3 sizes of a helmet by head girth, each 30 mm wide, serve most people aged 15 to 60 in Spain? Give the share served.',
    right: by(
      sizeChart,
      {
        population: people(['ES'], 15, 60),
        measurements: [{ measurement: 'HeadGirth', tolerance: 30 }],
        sizes: 3,
      },
      ({ shareServed }) => [shareServed],
    ),
  },
  {
    text: 'Complete one person: a woman aged 34 in Germany with a stature of 1680 mm and a weight of 66 kg. What is her expected hip circumference?',
    right: by(
      completePerson,
      {
        gender: 'Female',
        age: 34,
        country: 'DE',
        known: [
          { measurement: 'Stature', value: 1680 },
          { measurement: 'BodyMass', value: 66 },
        ],
        wanted: ['HipCircumferenceMax'],
      },
      ({ measurements }) => [measurements[0]?.expected ?? 0],
    ),
  },
  {
    text: 'How far can the median sitting height of men aged 30 in Kenya be trusted? Give the grade.',
    right: by(
      evidence,
      { measurement: 'SittingHeight', gender: 'Male', age: 30, country: 'KE' },
      ({ grade }) => [grade],
    ),
  },
  {
    text: 'How far can the body mass index of women aged 40 in Japan be trusted? Give the low and high end of the interval.',
    right: by(
      evidence,
      { measurement: 'BMI', gender: 'Female', age: 40, country: 'JP' },
      ({ low, high }) => [low, high],
    ),
  },
  {
    text: 'What is the mean weight of people aged 20 to 70 in Mexico, and its 50th percentile? Give the mean, as a data sheet of the population.',
    right: by(
      populationPercentiles,
      { population: people(['MX'], 20, 70), measurements: ['BodyMass'], percentiles: [50] },
      ({ measurements }) => [measurements[0]?.mean ?? 0],
    ),
  },
  {
    text: 'What is the 95th percentile of the weight in lb of men aged 20 to 65 in the United States and Canada?',
    right: by(
      populationPercentiles,
      {
        population: people(['US', 'CA'], 20, 65, 'Male'),
        measurements: ['BodyMass'],
        percentiles: [95],
        massUnit: 'lb',
      },
      ({ measurements }) => [measurements[0]?.values[0]?.value ?? 0],
    ),
  },
  {
    text: 'Draw 5 people aged 20 to 30 in India with seed 7 and give the stature of each.',
    right: by(
      samplePeople,
      { population: people(['IN'], 20, 30), count: 5, measurements: ['Stature'], seed: 7 },
      (answer) => answer.people.map(({ measurements }) => measurements.Stature as number),
    ),
  },
  {
    text: 'Send two requests at once: the hand length of a woman aged 30 in France at the median; the hand length of a man aged 30 in France at the median.',
    right: (model) =>
      (['Female', 'Male'] as const).map(
        (gender) =>
          predict.run(
            { measurement: 'HandLength', gender, age: 30, percentile: 50, country: 'FR' },
            model,
          ).value,
      ),
  },
  {
    text: 'Sitting on a chair: what is the sitting eye height of a woman aged 25 in China at the 5th percentile?',
    right: by(
      predict,
      { measurement: 'SittingEyeHeight', gender: 'Female', age: 25, percentile: 5, country: 'CN' },
      ({ value }) => [value],
    ),
  },
  {
    text: 'What is the stature of a man aged 30 in Turkey at percentile 0.95?',
    right: by(
      predict,
      { measurement: 'Stature', gender: 'Male', age: 30, percentile: 95, country: 'TR' },
      ({ value }) => [value],
    ),
  },
  {
    text: 'What share of men aged 20 to 65 in the United States is at most at the 95th percentile of sitting height, of hip breadth sitting and of forward reach, all together?',
    right: by(
      populationShare,
      {
        population: people(['US'], 20, 65, 'Male'),
        limits: ['SittingHeight', 'SittingHipBreadth', 'WorkReach'].map((measurement) => ({
          measurement: measurement as 'SittingHeight',
          maxPercentile: 95,
        })),
      },
      ({ share }) => [share],
    ),
  },
];

import { BODY_MEASUREMENTS } from '../src/operations/fields.js';

// The largest computations that a request can ask for, as an attack on the service found them.

const ADULTS_OF_THE_WORLD = { countries: ['World'], ageMin: 20, ageMax: 90 };

/** Measurements that both genders have from 20 to 90 years. */
const MEASUREMENTS = BODY_MEASUREMENTS.filter((name) => !name.startsWith('Female'));

/** Percentiles at even steps. */
const TWENTY = Array.from({ length: 20 }, (_, i) => 2.5 + 5 * i);

const FIVE_CONDITIONS = [
  { measurement: 'Stature', min: 1550, max: 1900 },
  { measurement: 'SittingHeight', min: 800, max: 980 },
  { measurement: 'BodyMass', min: 45, max: 100 },
  { measurement: 'HandLength', min: 160, max: 205 },
  { measurement: 'FootLength', min: 220, max: 290 },
];
const NARROW_CONDITION = [{ measurement: 'Stature', min: 1800, max: 1803 }];

const TWELVE = [
  ...['Stature', 'SittingHeight', 'KneeHeight', 'PoplitealHeight', 'HandLength', 'FootLength'],
  ...['ButtockKneeLength', 'SittingElbowHeight', 'ThighThickness', 'SittingHipBreadth'],
  ...['ShoulderBreadthBideltoid', 'HeadGirth'],
];
const SIX_SIZES = {
  measurements: [
    ...[{ measurement: 'Stature', tolerance: 150 }],
    ...[{ measurement: 'ChestCircumferenceNipple', tolerance: 120 }],
    ...[{ measurement: 'WaistCircumferenceAbdominal', tolerance: 140 }],
    ...[{ measurement: 'HipCircumferenceMax', tolerance: 120 }],
    ...[{ measurement: 'SittingHeight', tolerance: 80 }],
    ...[{ measurement: 'HandLength', tolerance: 25 }],
  ],
  sizes: 30,
};

const worlds = (count: number) => Array.from({ length: count }, () => ADULTS_OF_THE_WORLD);
/** Fifty groups that overlap but are not alike. */
const DIFFERENT = Array.from({ length: 50 }, (_, i) => ({
  countries: ['World'],
  ageMin: 20 + (i % 10),
  ageMax: 90 - Math.floor(i / 10),
}));

/** A request of an operation, and what it is called in a table. */
export interface HeavyRequest {
  readonly name: string;
  readonly operation: string;
  readonly input: object;
}

/** The largest requests, and how long a user would wait for smaller ones. */
export const HEAVY_REQUESTS: readonly HeavyRequest[] = [
  {
    name: 'percentiles of all measurements × 20, World 20–90, five keep',
    operation: 'population_percentiles',
    input: {
      population: { groups: worlds(1), keep: FIVE_CONDITIONS },
      measurements: MEASUREMENTS,
      percentiles: TWENTY,
    },
  },
  {
    name: 'percentiles of all measurements × 20, World 20–90',
    operation: 'population_percentiles',
    input: {
      population: { groups: worlds(1) },
      measurements: MEASUREMENTS,
      percentiles: TWENTY,
    },
  },
  {
    name: 'percentiles of 10 measurements × 3, World 20–90',
    operation: 'population_percentiles',
    input: {
      population: { groups: worlds(1) },
      measurements: TWELVE.slice(0, 10),
      percentiles: [5, 50, 95],
    },
  },
  {
    name: 'percentile of 1 measurement, 50 × World 20–90',
    operation: 'population_percentiles',
    input: {
      population: { groups: worlds(50) },
      measurements: ['Stature'],
      percentiles: [50],
    },
  },
  {
    name: 'percentile of 1 measurement, 50 groups of World, no two alike',
    operation: 'population_percentiles',
    input: { population: { groups: DIFFERENT }, measurements: ['Stature'], percentiles: [50] },
  },
  {
    name: 'share of 1 limit, 50 × World 20–90',
    operation: 'population_share',
    input: {
      population: { groups: worlds(50) },
      limits: [{ measurement: 'Stature', min: 1550, max: 1900 }],
    },
  },
  {
    name: 'share of 20 limits, World 20–90, five keep',
    operation: 'population_share',
    input: {
      population: { groups: worlds(1), keep: FIVE_CONDITIONS },
      limits: MEASUREMENTS.slice(0, 20).map((measurement) => ({
        measurement,
        minPercentile: 1,
        maxPercentile: 99,
      })),
    },
  },
  {
    name: 'ranges of 12 dimensions, World 20–90, five keep',
    operation: 'design_ranges',
    input: {
      population: { groups: worlds(1), keep: FIVE_CONDITIONS },
      targetShare: 0.95,
      dimensions: TWELVE.map((measurement) => ({ measurement, side: 'both' })),
    },
  },
  {
    name: 'cases, 8 measurements, 32 cases, World 20–90, five keep',
    operation: 'boundary_cases',
    input: {
      population: { groups: worlds(1), keep: FIVE_CONDITIONS },
      measurements: TWELVE.slice(0, 8),
      targetShare: 0.95,
      count: 32,
    },
  },
  {
    name: 'size chart 6 × 30, World 20–90, narrow keep',
    operation: 'size_chart',
    input: { population: { groups: worlds(1), keep: NARROW_CONDITION }, ...SIX_SIZES },
  },
  {
    name: 'size chart 6 × 30, 50 × World 20–90',
    operation: 'size_chart',
    input: { population: { groups: worlds(50) }, ...SIX_SIZES },
  },
];

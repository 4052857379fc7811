import { GENDERS } from '../core/genders.js';
import { COUNTRIES_LIMITS } from '../core/limits.js';
import { DEFAULTS } from '../operations/fields.js';
import {
  type Ages,
  type ArgumentKind,
  agesKind,
  countriesKind,
  measurementKind,
  namesKind,
  numberKind,
} from './prompt-arguments.js';

/** An argument of a prompt. It is required if it has no `fallback`. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly kind: ArgumentKind;
  readonly fallback?: unknown;
}

/** Arguments of a prompt as their kinds have read them. */
export type Values = Readonly<Record<string, unknown>>;

/** A prompt: its purpose, its arguments, its instructions, and the price of the calls in them. */
export interface PromptSource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The instructions, one a line. */
  readonly text: (values: Values) => readonly string[];
  /** What the calls cost together, as a sentence. */
  readonly price: (values: Values) => string;
}

/** Maximum number of countries of a population that a prompt describes. */
export const PLACES_MAX = 50;

export const COUNTRIES: PromptArgument = {
  name: 'countries',
  description: `Country codes or sets of countries of the users, separated by commas, such as NL,JP or EU27; ${DEFAULTS.country} if omitted.`,
  kind: countriesKind('sets', PLACES_MAX),
  fallback: [DEFAULTS.country],
};
export const AGES: PromptArgument = {
  name: 'ages',
  description: 'Youngest and oldest age of the users in years, such as 20-65; 20-65 if omitted.',
  kind: agesKind,
  fallback: { ageMin: 20, ageMax: 65 },
};
const COUNTRY: PromptArgument = {
  name: 'country',
  description: `Country code of the users, such as JP; ${DEFAULTS.country} if omitted.`,
  kind: countriesKind('codes', 1),
  fallback: [DEFAULTS.country],
};
const AGE: PromptArgument = {
  name: 'age',
  description: 'Age of the users in years; 40 if omitted.',
  kind: numberKind(0, 120),
  fallback: 40,
};
export const SIZES: PromptArgument = {
  name: 'sizes',
  description: 'Number of sizes, 2 to 12; 4 if omitted.',
  kind: numberKind(2, 12, true),
  fallback: 4,
};

const FREE_CATALOG =
  'Look names up with get_catalog and its filters (free) if you are unsure; do not guess.';
const NO_SLUMP =
  'Omit `posture`: the dimensions are taken sitting erect. `posture: sitting` means slumped and lowers sitting heights by 40 mm.';
const ROUND_SAFELY =
  'Round what the ranges give to its safe side, each `min` down and each `max` up to whole millimetres: so the share still holds.';
const NOT_P95 =
  'Do not set each dimension at its own 95th percentile: fewer than 95 % of people would fit all of them together.';

/** Writes the population of a prompt as the argument of a tool. */
export function populationText({ countries, ages }: Values): string {
  const population = { groups: [{ countries, ...(ages as Ages) }] };
  return `Use this population in every call: ${JSON.stringify(population)}.`;
}

/** The users of a prompt in words. */
export function usersText({ countries, ages }: Values): string {
  const { ageMin, ageMax } = ages as Ages;
  return `users aged ${ageMin} to ${ageMax} in ${(countries as string[]).join(', ')}`;
}

/** The prompts about products. They ask the tools about populations. */
export const PRODUCT_PROMPTS: readonly PromptSource[] = [
  {
    name: 'size_a_seat',
    title: 'Size a seat',
    description:
      'Seat height, depth and width, and back height that fit 90 % of the users of several countries.',
    arguments: [COUNTRIES, AGES],
    text: (values) => [
      `Size a seat for ${usersText(values)}, so that it fits nine in ten of them in every dimension together.`,
      populationText(values),
      '1. Call design_ranges with targetShare 0.9, clothing light_shoes and the dimensions:',
      '- PoplitealHeight, side both: the seat height adjusts over this range;',
      '- ButtockPoplitealLength, side min: the seat depth is at most this `min` less 50 mm;',
      '- SittingHipBreadth, side max: the seat is at least this wide, an arm chair 30 mm wider;',
      '- SittingShoulderHeight, side max: the back reaches up to this height.',
      '2. For a seat of fixed height, call population_share with clothing light_shoes, the other limits of step 1, and PoplitealHeight from 40 mm below that height to 40 mm above it. Try the middle of the range.',
      ROUND_SAFELY,
      NO_SLUMP,
      NOT_P95,
      'Answer with a table of the four measures in mm, who sets each limit, and what share of the users a fixed height loses.',
    ],
    price: () => 'That is 2 calls and 15 credits; say so before you begin.',
  },
  {
    name: 'size_a_helmet',
    title: 'Size a helmet',
    description: 'Shell sizes of a helmet, their ranges, and heads to test it with.',
    arguments: [COUNTRIES, AGES, SIZES],
    text: (values) => [
      `Find ${values.sizes} sizes of a helmet for ${usersText(values)}.`,
      populationText(values),
      `1. Call size_chart with sizes ${values.sizes} and the measurements HeadGirth (tolerance 30), HeadLength (tolerance 16) and HeadBreadth (tolerance 14).`,
      '2. If shareServed is below 0.95, repeat it with one more size.',
      '3. Call boundary_cases with HeadLength, HeadBreadth, HeadGirth and TopOfHeadToStomion, targetShare 0.95 and count 4: these heads must fit.',
      'The measurements are of the bare head. Add the padding twice to the length and the breadth, 10 mm of air above the head, and 5 mm each side for hair; a hat or a hood under the helmet needs a size more.',
      'Omit `clothing` and `posture`: they do not change heads.',
      'Answer with a table of the sizes (inner length, breadth and girth in mm, share served), the share between sizes, and the four test heads.',
    ],
    price: () => 'That is 2 calls and 20 credits, 10 more for each repetition; say so first.',
  },
  {
    name: 'size_a_workstation',
    title: 'Size a workstation',
    description: 'Heights of seat, desk, screen and controls of a seated workstation.',
    arguments: [COUNTRIES, AGES],
    text: (values) => [
      `Size a workstation with an adjustable chair and desk for ${usersText(values)}, so that it fits nine in ten of them.`,
      populationText(values),
      '1. Call design_ranges with targetShare 0.9, clothing light_shoes and the dimensions:',
      '- PoplitealHeight, side both: the seat height;',
      '- SittingElbowHeight, side both: the desk is this much above the seat;',
      '- ThighThickness, side max: leave it and 30 mm of clearance between seat and desk;',
      '- SittingEyeHeight, side both: the upper edge of the screen is at most this much above the seat;',
      '- WorkReach, side min: everything used often lies within it.',
      '2. Call boundary_cases with PoplitealHeight, SittingElbowHeight, SittingEyeHeight and WorkReach, clothing light_shoes, targetShare 0.9 and count 4. Seat each case at your ranges and say what does not fit.',
      ROUND_SAFELY,
      'A desk height is the seat height plus the elbow height of the same person. Do not add the two 95th percentiles.',
      `${NO_SLUMP} People slump after a while, so check the screen once more with SittingEyeHeight 40 mm lower.`,
      'Answer with a table of seat, desk, screen and reach in mm, the clearances, and who sets each limit.',
    ],
    price: () => 'That is 2 calls and 20 credits; say so before you begin.',
  },
  {
    name: 'size_clothing',
    title: 'Size clothing',
    description: 'A size chart of clothing for women or men, with the body measurements.',
    arguments: [
      COUNTRIES,
      AGES,
      {
        name: 'gender',
        description: 'Female or Male.',
        kind: namesKind(GENDERS),
      },
      SIZES,
    ],
    text: (values) => {
      const { countries, ages, gender, sizes } = values;
      const population = { groups: [{ countries, gender, ...(ages as Ages) }] };
      return [
        `Make a chart of ${sizes} clothing sizes for ${gender === 'Female' ? 'women' : 'men'} among ${usersText(values)}.`,
        `Use this population in every call: ${JSON.stringify(population)}.`,
        `1. Call size_chart with sizes ${sizes} and the measurements ChestCircumferenceNipple (tolerance 80), WaistCircumferenceAbdominal (tolerance 80) and HipCircumferenceMax (tolerance 80).`,
        '2. Call population_percentiles with percentiles [5, 50, 95] and the measurements CrotchHeight, ShoulderToWristLength, ShoulderBreadthBiacromial and C7HeightStanding: the lengths of the garment.',
        '3. For the middle size call complete_person with the gender, the middle age, and the centres of that size as known values: it gives all other measurements of a typical wearer, such as ThighCircumferenceMidpoint and NeckCircumference.',
        'The measurements are nude body dimensions. Add ease: 40 to 80 mm at chest and hip for a shirt, 100 mm and more for a coat.',
        'Omit `clothing` and `posture`; `posture: sitting` would mean slumped. Chest, waist and hip vary apart, so more sizes serve few more people than a second fit does. Say so if betweenSizes is above 0.2.',
        'Answer with the chart in cm, the share of each size, and the share served in all.',
      ];
    },
    price: () => 'That is 3 calls and 16 credits; say so before you begin.',
  },
  {
    name: 'size_a_vehicle',
    title: 'Size a vehicle',
    description:
      'Head room, leg room, reach and sight of a driver, and people to test the cab with.',
    arguments: [COUNTRIES, AGES],
    text: (values) => [
      `Size the place of a driver for ${usersText(values)}, so that nine in ten of them can drive.`,
      populationText(values),
      '1. Call design_ranges with targetShare 0.9, clothing light_shoes and the dimensions:',
      '- SittingHeight, side max: the roof, with 50 mm of clearance, 80 mm with a helmet;',
      '- SittingEyeHeight, side both: where the eyes are that look over the wheel and under the roof;',
      '- ButtockKneeLength, side max: leg room, with 50 mm of clearance to the dashboard;',
      '- ButtockPoplitealLength, side both: the seat slides over this range for the pedals;',
      '- ShoulderBreadthBideltoid, side max: width of the seat back and of the cab;',
      '- WorkReach, side min: wheel and switches lie within it.',
      '2. Call boundary_cases with SittingHeight, ButtockKneeLength, SittingEyeHeight and WorkReach, clothing light_shoes, targetShare 0.9 and count 4. Seat each case and say who touches the roof, cannot reach the pedals or cannot see.',
      ROUND_SAFELY,
      '3. Call population_share with your final limits of all six dimensions, to confirm the share.',
      'People with long legs and a short trunk exist, and so does the opposite: that is why the cases matter more than percentiles.',
      `${NO_SLUMP} Drivers slump, so check sight once more with SittingEyeHeight 40 mm lower; keep the roof for erect drivers.`,
      'Answer with a table of the six measures in mm with clearances, the four cases, and the share of the users who fit.',
    ],
    price: () => 'That is 3 calls and 25 credits; say so before you begin.',
  },
];

/** The prompts about one measurement, which ask the predictions. */
export const MEASUREMENT_PROMPTS: readonly PromptSource[] = [
  {
    name: 'check_reach',
    title: 'Check a reach',
    description: 'Which share of the users can reach a control at a given height or distance.',
    arguments: [
      {
        name: 'measurement',
        description: 'Reach to check, such as VerticalGripReachStanding or WorkReach.',
        kind: measurementKind,
      },
      {
        name: 'value',
        description: 'Height or distance of the control in mm.',
        kind: numberKind(1, 10_000),
      },
      COUNTRY,
      AGE,
    ],
    text: ({ measurement, value, country, age }) => [
      `Which share of users aged ${age} in ${country} can reach a control at ${value} mm, judged by ${measurement}?`,
      `Call percentile_lookup once for each gender with measurement ${measurement}, value ${value}, unit mm, country ${country} and age ${age}.`,
      'Those at or above the percentile found can reach it: 100 less the percentile, in percent.',
      'A refusal value_out_of_range means nearly all or nearly none can: compare the value with the bounds it gives.',
      FREE_CATALOG,
      'Answer with the share for women, for men and for an even mix, and the value that nine in ten would reach (predict at percentile 10).',
    ],
    price: () => 'That is 4 calls and 4 credits.',
  },
  {
    name: 'compare_markets',
    title: 'Compare markets',
    description: 'How a measurement differs between countries, and whether one size will do.',
    arguments: [
      {
        name: 'measurement',
        description: 'Measurement that sets the size, such as Stature.',
        kind: measurementKind,
      },
      {
        name: 'countries',
        description: 'Up to ten country codes, separated by commas, such as NL,JP,ID.',
        kind: countriesKind('codes', COUNTRIES_LIMITS.maxItems),
      },
      AGE,
    ],
    text: ({ measurement, countries, age }) => [
      `Compare ${measurement} of people aged ${age} in ${(countries as string[]).join(', ')}.`,
      `Call predict_compare with countries ${JSON.stringify(countries)} for each gender at percentiles 5, 50 and 95.`,
      FREE_CATALOG,
      'Answer with a table of countries by gender and percentile in mm, the largest gap at the median, and whether one size, two sizes or an adjustable range serves all these markets from the 5th to the 95th percentile.',
    ],
    price: ({ countries }) =>
      `That is 6 calls and ${(countries as string[]).length * 6} credits; say so before you begin.`,
  },
];

import {
  type Ages,
  agesKind,
  countriesKind,
  measurementsKind,
  numberKind,
} from './prompt-arguments.js';
import {
  AGES,
  COUNTRIES,
  PLACES_MAX,
  type PromptArgument,
  type PromptSource,
  populationText,
  usersText,
  type Values,
} from './prompt-texts.js';

const SHARE: PromptArgument = {
  name: 'share',
  description: 'Share of the users to serve in percent, 50 to 99; 90 if omitted.',
  kind: numberKind(50, 99),
  fallback: 90,
};

/** Dimensions in which old and young people differ most. */
const COMPARED = [
  'Stature',
  'SittingHeight',
  'PoplitealHeight',
  'SittingHipBreadth',
  'WaistCircumferenceAbdominal',
  'BodyMass',
];
/** Measurements of one sheet; each costs a credit. */
const SHEET_MAX = 20;

const people = (countries: unknown, ages: unknown): string =>
  JSON.stringify({ groups: [{ countries, ...(ages as Ages) }] });

/** The prompts for the other tasks on the pages: openings, gloves, comparisons and sheets. */
export const TASK_PROMPTS: readonly PromptSource[] = [
  {
    name: 'size_an_opening',
    title: 'Size a doorway and a bed',
    description: 'Height and width of a doorway and length of a bed for a share of the users.',
    arguments: [COUNTRIES, AGES, SHARE],
    text: (values) => [
      `Size a doorway and a bed for ${usersText(values)}, so that ${values.share} % of them pass upright and lie stretched out.`,
      populationText(values),
      `1. Call population_percentiles with percentile ${values.share}, clothing shoes and the measurements Stature and ShoulderBreadthBideltoid: the doorway is at least this high plus 50 mm, and this wide plus 100 mm.`,
      `2. Call population_percentiles with percentile ${values.share}, without clothing, and the measurement Stature: the bed is at least this long plus 150 mm.`,
      '3. For a size that you are given, call population_share with that size less the clearance as `max`: the share that it serves.',
      'Omit `posture`. People do not walk through doors at their own 95th percentile of everything: height alone decides who stoops.',
      'Answer with the height, the width and the length in mm, rounded up, with the clearances, and the share that a common doorway of 2,000 mm and a bed of 2,000 mm serve.',
    ],
    price: () => 'That is 3 calls and 8 credits; say so before you begin.',
  },
  {
    name: 'size_gloves',
    title: 'Size gloves',
    description: 'How many sizes of a glove serve a share of the users, and the size chart.',
    arguments: [COUNTRIES, AGES, SHARE],
    text: (values) => [
      `Find the fewest sizes of a glove that serve ${values.share} % of ${usersText(values)}.`,
      populationText(values),
      '1. Call size_chart with sizes 4 and the measurements HandCircumference (tolerance 20) and HandLength (tolerance 18).',
      `2. Repeat it with more or fewer sizes until shareServed is at least ${Number(values.share) / 100} with the fewest sizes; 12 is the most.`,
      'Omit `clothing` and `posture`: they do not change hands. The measurements are of the bare hand; add ease for the lining of a winter glove.',
      'Answer with the chart (circumference and length in mm of each size, its share), the share served and the share between sizes. If 12 sizes do not serve the share, say which share they serve.',
    ],
    price: () => 'That is 10 credits for each number of sizes that you try, often 3; say so first.',
  },
  {
    name: 'compare_populations',
    title: 'Compare two populations',
    description:
      'What differs between two populations, such as the old of one country and the young of another.',
    arguments: [
      COUNTRIES,
      AGES,
      {
        name: 'otherCountries',
        description: 'Country codes or sets of the other population, such as SE.',
        kind: countriesKind('sets', PLACES_MAX),
      },
      {
        name: 'otherAges',
        description: 'Youngest and oldest age of the other population, such as 18-30.',
        kind: agesKind,
      },
    ],
    text: ({ countries, ages, otherCountries, otherAges }: Values) => [
      'Compare two populations, so that a designer knows what must adjust.',
      `1. Call population_percentiles with population ${people(countries, ages)}, percentiles [5, 50, 95] and measurements ${JSON.stringify(COMPARED)}.`,
      `2. Repeat it with population ${people(otherCountries, otherAges)}.`,
      '3. For the dimension that differs most, call population_share for the second population with the P5 and P95 of the first as limits: the share that a product for the first would lose.',
      'Omit `clothing` and `posture`, or the comparison is of clothes.',
      'Answer with a table of both populations by dimension (P5, P50, P95, and the difference of the medians in mm and in standard deviations), and one sentence on what it means.',
    ],
    price: () => `That is 3 calls and ${2 * COMPARED.length + 5} credits; say so before you begin.`,
  },
  {
    name: 'write_a_data_sheet',
    title: 'Write a data sheet',
    description: 'Percentiles of many dimensions of a population, with what they rest on.',
    arguments: [
      COUNTRIES,
      AGES,
      {
        name: 'measurements',
        description: `Up to ${SHEET_MAX} measurements, separated by commas, such as Stature,HandLength.`,
        kind: measurementsKind(SHEET_MAX),
      },
    ],
    text: (values) => [
      `Write a data sheet of ${usersText(values)}.`,
      populationText(values),
      `1. Call population_percentiles with percentiles [5, 50, 95] and measurements ${JSON.stringify(values.measurements)}.`,
      '2. Call evidence (free) for each measurement, with the middle age of the users and their largest country: its grade and its surveys.',
      'Omit `clothing` and `posture`: a data sheet is of nude people standing erect. Look names up with get_catalog (free) if you are unsure.',
      'Answer with a table of measurement, mean, standard deviation, P5, P50, P95 and grade, the surveys by name and year, and the version of the artifacts. Say that percentiles of different dimensions do not add up to a person.',
    ],
    price: ({ measurements }) =>
      `That is ${(measurements as string[]).length} credits; say so before you begin.`,
  },
];

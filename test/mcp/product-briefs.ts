// Four briefs from documents of real products that state a result. Each fact has the address of its source. Two calls answer a
// brief: a search for names, and a question. The names of measurements come only from the search.

/** A question about a product. */
export interface ProductBrief {
  readonly text: string;
  /** The statement of the document, and its place. */
  readonly fact: string;
  readonly source: string;
  /** Texts to search for. The question is about the first measurement that each search finds. */
  readonly words: readonly string[];
  readonly tool: string;
  /** The question, with the names that were found. */
  readonly ask: (names: readonly string[]) => object;
  /** The number that answers the brief. */
  readonly read: (answer: never) => number;
  /** Bounds of a right answer. */
  readonly between: readonly [number, number];
}

const INCH_MM = 25.4;
const adults = (countries: string[], gender?: 'Female' | 'Male', ageMin = 18, ageMax = 65) => ({
  groups: [{ countries, ageMin, ageMax, ...(gender === undefined ? {} : { gender }) }],
});
const share = ({ share }: { share: number }) => share;
const percentile = ({ percentile }: { percentile: number }) => percentile;

export const PRODUCT_BRIEFS: readonly ProductBrief[] = [
  {
    text: 'A cockpit admits pilots of 64 to 77 inches with a sitting height of 34 to 40. Which share of US women of 20 to 29 is out by stature?',
    fact: 'The criteria “eliminated about 44 percent of American women between the age of 20 and 29”; the figure is that of stature.',
    source: 'https://www.flyingmag.com/air-force-drops-pilot-height-requirement/',
    words: ['how tall', 'sitting height'],
    tool: 'population_share',
    ask: ([stature = '', sitting = '']) => ({
      population: adults(['US'], 'Female', 20, 29),
      unit: 'in',
      limits: [
        { measurement: stature, min: 64, max: 77 },
        { measurement: sitting, min: 34, max: 40 },
      ],
    }),
    read: ({ limits: [stature] }: { limits: { below: number; above: number }[] }) =>
      (stature?.below ?? 0) + (stature?.above ?? 0),
    between: [0.38, 0.56],
  },
  {
    text: 'At which percentile of US women of 25 is a stature of 64 inches?',
    fact: '“43.5% of U.S females ages 20 to 29 have a stature of 64 inches or less”.',
    source:
      'https://www.military.com/daily-news/2019/11/15/air-force-wants-more-aspiring-pilots-take-advantage-height-waiver-program.html',
    words: ['how tall'],
    tool: 'percentile_lookup',
    ask: ([measurement]) => ({
      ...{ measurement, gender: 'Female', age: 25, country: 'US', value: 64, unit: 'in' },
    }),
    read: percentile,
    between: [38, 56],
  },
  {
    text: 'Until which share of US children of 8 must a booster seat serve, which ends at 4 feet 9 inches?',
    fact: '“typically when they have reached 4 feet 9 inches”; most not until “10 to 11 years of age”.',
    source: 'http://www.safehomealabama.gov/safety-topics/booster-seats-for-school-aged-children/',
    words: ['how tall'],
    tool: 'population_share',
    ask: ([measurement]) => ({
      population: adults(['US'], undefined, 8, 8),
      limits: [{ measurement, max: 57 * INCH_MM }],
    }),
    read: share,
    between: [0.9, 1],
  },
  {
    text: 'How high is the hollow of the knee of a US woman of 5 feet, for a chair that begins at 16 inches?',
    fact: '“a standard chair at its lowest height of 16-inches is actually too high for a 5-foot female”.',
    source: 'https://www.safeatworkca.com/safety-articles/choosing-an-office-chair/',
    words: ['how tall', 'popliteal height'],
    tool: 'complete_person',
    ask: ([stature, popliteal]) => ({
      ...{ gender: 'Female', age: 40, country: 'US', unit: 'in' },
      known: [{ measurement: stature, value: 60 }],
      wanted: [popliteal],
    }),
    read: ({ measurements }: { measurements: { expected: number }[] }) =>
      measurements[0]?.expected ?? 0,
    between: [12.5, 16],
  },
];

// Twelve briefs from documents of real products and rules. Each fact has the address of its source. Two calls answer a
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
  /**
   * Bounds of a right answer. If `fact` states a result, they are published. Otherwise, they are wide enough for any
   * sound model, but still reveal a wrong measurement, unit or population.
   */
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
    text: 'Which share of US adults has knees below a table with a clearance of 27 inches?',
    fact: 'Knee clearance “at least 27 inches high”.',
    source:
      'https://cncofficesystems.com/2024/essential-ada-guidelines-ensuring-proper-knee-clearance-for-accessible-design.html',
    words: ['knee height sitting'],
    tool: 'population_share',
    ask: ([measurement]) => ({
      population: adults(['US']),
      clothing: 'shoes',
      limits: [{ measurement, max: 27 * INCH_MM }],
    }),
    read: share,
    between: [0.97, 1],
  },
  {
    text: 'Which share of European men needs a work glove above size 8, a hand of 203 mm around?',
    fact: 'EN 420, size 8: hand circumference 203 mm, length 182 mm.',
    source: 'https://granberg.no/fi/tietopankki/standardit-ja-merkinnat/en-4202003-1',
    words: ['hand circumference'],
    tool: 'population_share',
    ask: ([measurement]) => ({
      population: adults(['EU27'], 'Male'),
      limits: [{ measurement, min: 203 }],
    }),
    read: share,
    between: [0.6, 0.95],
  },
  {
    text: 'Which share of US adults in shoes has both feet on the floor in a standard office chair of 16 to 21 inches?',
    fact: 'Chairs are sold in three ranges: “Standard—16 to 21 inches”.',
    source: 'https://www.safeatworkca.com/safety-articles/choosing-an-office-chair/',
    words: ['popliteal height'],
    tool: 'population_share',
    ask: ([measurement]) => ({
      population: adults(['US']),
      clothing: 'shoes',
      limits: [{ measurement, min: 16 * INCH_MM }],
    }),
    read: share,
    between: [0.6, 0.97],
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
  {
    text: 'At which percentile of US men of 40 does a guardrail of 42 inches reach the elbow?',
    fact: '1910.29(b)(1): top rails are 42 inches, plus or minus 3, above the walking surface.',
    source: 'https://magazinevolume.com/34729DI/page_53.html',
    words: ['elbow height standing'],
    tool: 'percentile_lookup',
    ask: ([measurement]) => ({
      ...{ measurement, gender: 'Male', age: 40, country: 'US', unit: 'in', value: 42 },
    }),
    read: percentile,
    between: [5, 50],
  },
  {
    text: 'Which share of German boys and girls of 8 is tall enough for a roller coaster from 48 inches?',
    fact: '“Most roller coasters require riders to be at least 48 inches (122 cm) tall.”',
    source: 'https://felttheater.com/Roller-Coaster-Height-Requirements-and-Safety-Considerations',
    words: ['how tall'],
    tool: 'population_share',
    ask: ([measurement]) => ({
      population: adults(['DE'], undefined, 8, 8),
      unit: 'cm',
      limits: [{ measurement, min: 122 }],
    }),
    read: share,
    between: [0.85, 1],
  },
  {
    text: 'Which share of US adults has hips wider than an economy seat of 17 inches?',
    fact: 'Southwest Airlines: seat width 17 inches.',
    source:
      'https://www.lifehacker.com.au/2017/08/heres-how-much-leg-room-and-reclining-space-you-get-on-major-airlines/',
    words: ['hip breadth sitting'],
    tool: 'population_share',
    ask: ([measurement]) => ({
      population: adults(['US']),
      limits: [{ measurement, min: 17 * INCH_MM }],
    }),
    read: share,
    between: [0.1, 0.5],
  },
  {
    text: 'Which share of French adults is served by a cycle helmet in three sizes from 54 to 62 cm?',
    fact: 'S 54 to 57 cm, M 57 to 59, L 59 to 62.',
    source: 'https://www.maxandthecity.co.uk/pages/comment-mesurer-la-taille-d-un-casque-de-velo',
    words: ['head circumference'],
    tool: 'population_share',
    ask: ([measurement]) => ({
      population: adults(['FR']),
      unit: 'cm',
      limits: [{ measurement, min: 54, max: 62 }],
    }),
    read: share,
    between: [0.75, 1],
  },
  {
    text: 'Which share of women in the United Kingdom needs medical gloves of size M, a hand of 85 to 105 mm across?',
    fact: 'EN 455: “Medium: approximately 95 mm (85 – 105 mm)”.',
    source: 'https://www.broschdirect.com/blog/glove-size-guide',
    words: ['hand breadth'],
    tool: 'population_share',
    ask: ([measurement]) => ({
      population: adults(['UK'], 'Female'),
      limits: [{ measurement, min: 85, max: 105 }],
    }),
    read: share,
    between: [0.01, 0.5],
  },
];

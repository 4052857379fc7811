// Briefs as rows: the tool, the input as an agent writes it, and the answer. The bounds of an answer leave room for
// a model that is fitted again, but not for another dimension, age, unit or gender.

/** A brief, and where its answer is. */
export interface AgentBrief {
  readonly text: string;
  readonly tool: string;
  readonly input: object;
  /** Path of the answer in the structured content. */
  readonly path: string;
  /** The answer if it is a text; bounds if it is a number. */
  readonly answer: string | RegExp | readonly [number, number];
}

const group = (countries: string[], ageMin: number, ageMax: number, gender?: string) => ({
  groups: [{ countries, ageMin, ageMax, ...(gender === undefined ? {} : { gender }) }],
});
const limit = (measurement: string, of: object) => ({ limits: [{ measurement, ...of }] });

// biome-ignore format: one brief a line reads as a table
export const AGENT_BRIEFS: readonly AgentBrief[] = [
  { text: 'Which dimension decides the shaft of a ski boot?', tool: 'get_catalog', input: { text: 'boot shaft', kind: null }, path: 'measurements.0.name', answer: 'CalfCircumference' },
  { text: 'Shaft of a ski boot for girls of 12 in Austria, P95?', tool: 'predict', input: { measurement: 'CalfCircumference', gender: 'Female', age: 12.5, country: 'AT', percentile: 95 }, path: 'value', answer: [370, 415] },
  { text: 'Gap of a railing that the head of a child of 2 does not pass?', tool: 'predict', input: { measurement: 'HeadBreadth', gender: 'Female', age: '2.5', percentile: '1', country: '' }, path: 'value', answer: [115, 130] },
  { text: 'Percentile of 1,420 mm among girls "of 10" in Japan?', tool: 'percentile_lookup', input: { measurement: 'Stature', gender: 'Female', age: 10.5, country: 'JP', value: 1420 }, path: 'percentile', answer: [55, 75] },
  { text: 'Height of a toilet for people over 70 in Germany, P5?', tool: 'population_percentiles', input: { population: JSON.stringify(group(['DE'], 70, 100)), measurements: ['PoplitealHeight'], percentiles: [5] }, path: 'measurements.0.values.0.value', answer: [335, 375] },
  { text: 'Length of a prosthetic foot?', tool: 'get_catalog', input: { text: 'prosthetic foot' }, path: 'notCovered.0.need', answer: /prostheses/ },
  { text: 'Seat of a bariatric chair for US adults, P99.5?', tool: 'population_percentiles', input: { population: group(['US'], 18, 80), measurements: '["SittingHipBreadth"]', percentiles: [99.5] }, path: 'measurements.0.values.0.value', answer: [500, 640] },
  { text: 'Which share of US adults is over 180 kg, the limit of a chair?', tool: 'population_share', input: { population: group(['US'], 18, 80), ...limit('BodyMass', { max: 180 }) }, path: 'share', answer: [0.985, 0.9999] },
  { text: 'Which share of Dutch men of 18 to 30 does not fit a bed of 2 m?', tool: 'population_share', input: { population: group(['NL'], 18, 30, 'Male'), ...limit('Stature', { min: 2000 }) }, path: 'share', answer: [0.002, 0.06] },
  { text: 'Does a finger of a child of 3 enter a hole of 5 mm? P5 of its tip', tool: 'predict', input: { measurement: 'IndexFingerWidthTip', gender: 'Female', age: 3.5, percentile: 5 }, path: 'value', answer: [5.5, 11] },
  { text: 'Saddle of a bicycle for girls of 8 in France: the median inseam', tool: 'predict', input: { measurement: 'CrotchHeight', gender: 'Female', age: 8.5, percentile: 50, country: 'FR' }, path: 'value', answer: [540, 640] },
  { text: 'Size of a glove for men of 40 in Germany: the median girth of the hand', tool: 'predict', input: { measurement: 'HandCircumference', gender: 'Male', age: 40, percentile: 50, country: 'DE' }, path: 'value', answer: [195, 228] },
  { text: 'Straps of a watch for women of 30 in Korea, P5 to P95', tool: 'predict_range', input: { measurement: 'WristCircumference', gender: 'Female', age: 30, percentiles: '[5, 95]', country: 'KR' }, path: 'values.1.value', answer: [150, 185] },
  { text: 'Where do the wrists of wheelchair users reach?', tool: 'get_catalog', input: { text: 'reach from a wheelchair' }, path: 'notCovered.0.need', answer: /wheelchair/ },
  { text: 'Knee room of a bus for a man of 1.95 m in Sweden', tool: 'complete_person', input: { gender: 'Male', age: 35, country: 'SE', known: [{ measurement: 'Stature', value: '195', unit: 'cm', percentile: null }], wanted: ['ButtockKneeLength'] }, path: 'measurements.0.expected', answer: [640, 710] },
  // Facts of documents of products, with their sources.
  // “eliminated about 44 percent of American women between the age of 20 and 29”: https://www.flyingmag.com/air-force-drops-pilot-height-requirement/
  { text: 'A cockpit admits pilots of 64 to 77 inches. Which share of US women of 20 to 29 is too short?', tool: 'population_share', input: { population: group(['US'], 20, 29, 'Female'), unit: 'in', ...limit('Stature', { min: 64, max: 77 }) }, path: 'limits.0.below', answer: [0.38, 0.56] },
  // “43.5% of U.S females ages 20 to 29 have a stature of 64 inches or less”: https://www.military.com/daily-news/2019/11/15/air-force-wants-more-aspiring-pilots-take-advantage-height-waiver-program.html
  { text: 'At which percentile of US women of 25 is a stature of 64 inches?', tool: 'percentile_lookup', input: { measurement: 'Stature', gender: 'Female', age: 25, country: 'US', value: 64, unit: 'in' }, path: 'percentile', answer: [38, 56] },
  // “typically when they have reached 4 feet 9 inches”; most not until “10 to 11 years of age”: http://www.safehomealabama.gov/safety-topics/booster-seats-for-school-aged-children/
  { text: 'Until which share of US children of 8 must a booster seat serve, which ends at 4 feet 9 inches?', tool: 'population_share', input: { population: group(['US'], 8, 8), ...limit('Stature', { max: 57 * 25.4 }) }, path: 'share', answer: [0.9, 1] },
  // “a standard chair at its lowest height of 16-inches is actually too high for a 5-foot female”: https://www.safeatworkca.com/safety-articles/choosing-an-office-chair/
  { text: 'How high is the hollow of the knee of a US woman of 5 feet?', tool: 'complete_person', input: { gender: 'Female', age: 40, country: 'US', unit: 'in', known: [{ measurement: 'Stature', value: 60 }], wanted: ['PoplitealHeight'] }, path: 'measurements.0.expected', answer: [12.5, 16] },
];

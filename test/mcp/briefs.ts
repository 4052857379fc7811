/** A question of a designer, the words to search measurements with, and the tool call that answers the question. */
export interface Brief {
  readonly text: string;
  /** Texts to search for. The first result of each is the measurement at the same place in the request. */
  readonly words: readonly string[];
  readonly tool: string;
  readonly ask: (names: readonly string[]) => object;
}

type Single = 'Female' | 'Male';
const woman = (age: number, country: string) => ({ gender: 'Female', age, country });
const man = (age: number, country: string) => ({ gender: 'Male', age, country });
const people = (countries: readonly string[], ageMin: number, ageMax: number, gender?: Single) => ({
  population: {
    groups: [{ countries, ageMin, ageMax, ...(gender === undefined ? {} : { gender }) }],
  },
});

/** Makes a brief about one measurement, which the request names in `measurement`. */
const one = (text: string, words: string, tool: string, request: object): Brief => ({
  ...{ text, words: [words], tool },
  ask: ([measurement]) => ({ measurement, ...request }),
});

const linked = (text: string, words: string, request: object): Brief => ({
  ...{ text, words: ['how tall', words], tool: 'connected_dimension' },
  ask: ([anchorMeasurement, linkedMeasurement]) => ({
    ...{ anchorMeasurement, linkedMeasurement },
    ...request,
  }),
});

/** Thirty design briefs in everyday words. */
// biome-ignore format: one brief a line reads as a table
export const BRIEFS: readonly Brief[] = [
  one('Inseam in inches of a German man of 30 at the median?', 'inseam', 'predict', { ...man(30, 'DE'), percentile: 50, unit: 'in' }),
  one('How tall is a Dutch man of 25 at the 95th percentile, in cm?', 'how tall', 'predict', { ...man(25, 'NL'), percentile: 95, unit: 'cm' }),
  one('Does a bed of 1900 mm fit a Dutch man of 30 at the 95th percentile?', 'body height', 'predict', { ...man(30, 'NL'), percentile: 95 }),
  one('Which percentage of US women of 40 is shorter than 1700 mm?', 'how tall', 'percentile_lookup', { ...woman(40, 'US'), value: 1700 }),
  one('Shoulder width of men of 35 at the 95th percentile in Japan, Germany and Brazil?', 'shoulder width', 'predict_compare', { gender: 'Male', age: 35, percentile: 95, countries: ['JP', 'DE', 'BR'] }),
  one('P5, P50 and P95 of the hip breadth sitting of French women of 45?', 'hip breadth sitting', 'predict_range', { ...woman(45, 'FR'), percentiles: [5, 50, 95] }),
  one('At which percentile of Japanese men of 20 is a foot of 270 mm?', 'shoe size', 'percentile_lookup', { ...man(20, 'JP'), value: 270 }),
  one('How high is a door for Dutch men of 30 at the 99th percentile in winter clothing?', 'stature', 'predict', { ...man(30, 'NL'), percentile: 99, clothing: 'winter' }),
  one('Which hat size has the median Korean woman of 50?', 'hat size', 'predict', { ...woman(50, 'KR'), percentile: 50 }),
  one('Popliteal height of an Indian woman of 60 at the 5th percentile in shoes?', 'popliteal height', 'predict', { ...woman(60, 'IN'), percentile: 5, clothing: 'shoes' }),
  one('How tall is the median girl of 8.5 years in Kenya?', 'how tall', 'predict', { ...woman(8.5, 'KE'), percentile: 50 }),
  one('Sitting eye height of a Chinese woman of 25 at the 5th percentile?', 'sitting eye height', 'predict', { ...woman(25, 'CN'), percentile: 5 }),
  one('Stature of a Turkish man of 30 that 95 of 100 do not exceed?', 'stature', 'predict', { ...man(30, 'TR'), percentile: 95 }),
  linked('Which forward reach covers 90 % of Swedish men of 40 whose stature is at P5?', 'forward reach', { anchorPercentile: 5, accommodationPercent: 90, ...man(40, 'SE') }),
  linked('Mean sitting height of Italian women of 30 whose stature is at P95?', 'sitting height', { anchorPercentile: 95, accommodationPercent: 80, ...woman(30, 'IT') }),
  one('How far can the median sitting height of Kenyan men of 30 be trusted?', 'sitting height', 'evidence', man(30, 'KE')),
  one('How far can the BMI of Japanese women of 40 be trusted?', 'body mass index', 'evidence', woman(40, 'JP')),
  {
    text: 'Which share of people of 20 to 65 in Germany and Japan has a sitting height of at most 960 mm?', words: ['sitting height'], tool: 'population_share',
    ask: ([measurement]) => ({ ...people(['DE', 'JP'], 20, 65), limits: [{ measurement, max: 960 }] }),
  },
  {
    text: 'Which share of women of 18 to 40 in the European Union weighs at most 80 kg?', words: ['weight'], tool: 'population_share',
    ask: ([measurement]) => ({ ...people(['EU27'], 18, 40, 'Female'), limits: [{ measurement, max: 80 }] }),
  },
  {
    text: 'Which share of men of 20 to 60 in the OECD fits a seat for hips of 420 mm under a roof for 950 mm?', words: ['hip breadth sitting', 'sitting height'], tool: 'population_share',
    ask: ([hip, sitting]) => ({ ...people(['OECD'], 20, 60, 'Male'), limits: [{ measurement: hip, max: 420 }, { measurement: sitting, max: 950 }] }),
  },
  {
    text: 'Which share of US men of 20 to 65 is at most at P95 of sitting height, of hip breadth and of forward reach together?', words: ['sitting height', 'hip breadth sitting', 'forward reach'], tool: 'population_share',
    ask: (names) => ({ ...people(['US'], 20, 65, 'Male'), limits: names.map((measurement) => ({ measurement, maxPercentile: 95 })) }),
  },
  {
    text: 'Which popliteal heights serve 90 % of German women of 20 to 65 in shoes?', words: ['popliteal height'], tool: 'design_ranges',
    ask: ([measurement]) => ({ ...people(['DE'], 20, 65, 'Female'), targetShare: 0.9, dimensions: [{ measurement, side: 'both' }], clothing: 'shoes' }),
  },
  {
    text: 'Up to which elbow height and eye height are 95 % of Italians and Spaniards of 18 to 65 served together?', words: ['elbow height', 'eye height'], tool: 'design_ranges',
    ask: (names) => ({ ...people(['IT', 'ES'], 18, 65), targetShare: 0.95, dimensions: names.map((measurement) => ({ measurement, side: 'max' })) }),
  },
  {
    text: 'With which 4 people is a cab tested that serves 90 % of Canadians of 20 to 60?', words: ['sitting height', 'buttock-knee length'], tool: 'boundary_cases',
    ask: (measurements) => ({ ...people(['CA'], 20, 60), measurements, targetShare: 0.9, count: 4 }),
  },
  {
    text: 'Which 3 sizes of a helmet, each 30 mm wide, serve most Spaniards of 15 to 60?', words: ['head girth'], tool: 'size_chart',
    ask: ([measurement]) => ({ ...people(['ES'], 15, 60), measurements: [{ measurement, tolerance: 30 }], sizes: 3 }),
  },
  {
    text: 'Hip circumference of a German woman of 34 with 1680 mm and 66 kg?', words: ['stature', 'weight', 'hip circumference'], tool: 'complete_person',
    ask: ([stature, weight, hip]) => ({ ...woman(34, 'DE'), known: [{ measurement: stature, value: 1680 }, { measurement: weight, value: 66 }], wanted: [hip] }),
  },
  {
    text: 'Mean and median weight of people of 20 to 70 in Mexico?', words: ['weight'], tool: 'population_percentiles',
    ask: (measurements) => ({ ...people(['MX'], 20, 70), measurements, percentiles: [50] }),
  },
  {
    text: 'P95 of the weight in lb of men of 20 to 65 in the United States and Canada?', words: ['weight'], tool: 'population_percentiles',
    ask: (measurements) => ({ ...people(['US', 'CA'], 20, 65, 'Male'), measurements, percentiles: [95], massUnit: 'lb' }),
  },
  {
    text: 'Statures of 5 Indians of 20 to 30?', words: ['how tall'], tool: 'sample_people',
    ask: (measurements) => ({ ...people(['IN'], 20, 30), count: 5, measurements, seed: 7 }),
  },
  {
    text: 'Hand length of the median French woman and man of 30?', words: ['hand length'], tool: 'batch',
    ask: ([measurement]) => ({ requests: [woman(30, 'FR'), man(30, 'FR')].map((person) => ({ operation: 'predict', input: { measurement, percentile: 50, ...person } })) }),
  },
];

import { COUNTRIES } from '../core/countries.js';
import { GENDERS, type Gender } from '../core/genders.js';
import {
  MASS_QUANTITIES,
  type Manifest,
  type ManifestIdentity,
  type ManifestSurvey,
} from '../lookup/format.js';

/** A median that somebody asks about. */
interface Question {
  readonly measurement: string;
  readonly gender: Gender;
  readonly country: string;
  readonly age: number;
}

/** A question with the manifest that answers it. */
interface Asked extends Question {
  readonly manifest: Manifest;
}

/** The part of an answer about the basis of a median. */
interface Basis {
  /** Whether a survey of the country measured it. */
  readonly measuredHere: boolean;
  readonly basis: string;
  /** Absent if tables of all countries give the number, and in versions that do not know it. */
  readonly ownWeight?: number;
  readonly surveys: { name: string; year: number; country: string; n: number; role: string }[];
  readonly notes: string[];
}

/** The origin of the surveys behind a median. */
type Reach = 'country' | 'region' | 'base' | 'none';

/** Ages of adults in the surveys of bodies, in years. */
const SURVEYED = { from: 20, to: 60 } as const;
/** Ages of children in the surveys of growth (Snyder 1977, up to 18 completed years). */
const GROWING = { from: 0, to: 19 } as const;
/**
 * Ages in the tables of NCD-RisC: children from 5 to 19 years (2020), and adults by year of birth from 1896 (2016). The
 * tables of adults have no maximum age, so that of NHANES is used.
 */
const TABLED = { from: 5, to: 80 } as const;
/** Maximum age that the surveys of all people distinguish. Since 2007, NHANES reports people over 80 as 80. */
const EVERYBODY_TO = 80;
/** Country of the base surveys. */
const BASE_COUNTRY = 'US';
/** If the newest survey is older than this, the answer says so. */
const OLD_BEFORE = 1990;

/**
 * Returns the basis of a median: the surveys of the country that measured the dimension; otherwise those of its region;
 * otherwise the base surveys. Under 20 years, surveys of children are added.
 */
export function restsOn(manifest: Manifest, question: Question): Basis {
  const asked = { ...question, manifest };
  const { surveys, reach } = surveysOf(asked);
  const growth =
    question.age < SURVEYED.from ? measuring(asked).filter(({ role }) => role === 'growth') : [];
  const g = GENDERS.indexOf(question.gender);
  const own = ownWeightOf(asked);
  return {
    measuredHere: isMeasuredHere(asked),
    basis: basisOf(asked, surveys, reach),
    ...own,
    surveys: [...surveys, ...growth].map(({ name, year, country, people, role }) => ({
      ...{ name, year, country },
      n: Math.round(people[g] as number),
      role,
    })),
    notes: [
      ...borrowed(asked, reach),
      ...oldest(surveys),
      ...withoutSize(question, reach, own),
      ...computed(asked),
      ...byAge(question, surveys),
      ...assumed(question),
      ...lying(question),
    ],
  };
}

/** Whether a survey of the country measured the dimension; for BMI and body mass, the stature of its people. */
function isMeasuredHere(asked: Asked): boolean {
  const measurement = isBody(asked.measurement) ? 'Stature' : asked.measurement;
  const surveys = measuring({ ...asked, measurement });
  return surveys.some(({ country }) => country === asked.country);
}

/**
 * The weight of a country's own surveys in the proportion of a dimension. The United States are the base, so their own
 * surveys have the full weight.
 */
function ownWeightOf({ manifest, measurement, gender, country }: Asked): { ownWeight?: number } {
  const { ownWeights } = manifest.population;
  if (ownWeights === undefined || isBody(measurement) || measurement === 'Stature') return {};
  if (country === BASE_COUNTRY) return { ownWeight: 1 };
  const index = manifest.axes.measurements.indexOf(measurement);
  const found = ownWeights.find((one) => one.country === country && one.measurement === index);
  return { ownWeight: found?.weights[GENDERS.indexOf(gender)] ?? 0 };
}

/**
 * Ages in years at which the surveys behind a median measured the dimension, ascending and without overlap. At other
 * ages, the median is computed from other ages or other dimensions.
 */
export function measuredAges(
  manifest: Manifest,
  question: Omit<Question, 'age'>,
): { fromYears: number; toYears: number }[] {
  const asked = { ...question, age: SURVEYED.from, manifest };
  const { surveys } = surveysOf(asked);
  const roles = new Set(measuring(asked).map(({ role }) => role));
  const everybody = surveys.some(({ role }) => role === 'general population');
  const tabled =
    question.measurement === 'Stature' && fromTables(manifest, 'ncdrisc-2016', 'ncdrisc-2020');
  const ranges = [
    ...(roles.has('growth') ? [GROWING] : []),
    ...(tabled ? [TABLED] : []),
    ...(surveys.length > 0
      ? [{ from: SURVEYED.from, to: everybody ? EVERYBODY_TO : SURVEYED.to }]
      : []),
  ];
  const merged: { fromYears: number; toYears: number }[] = [];
  for (const { from, to } of ranges) {
    const last = merged.at(-1);
    // Children of 19 and adults of 20 are neighbours.
    if (last === undefined || from > last.toYears + 1)
      merged.push({ fromYears: from, toYears: to });
    else last.toYears = Math.max(last.toYears, to);
  }
  return merged;
}

/**
 * The surveys that measured the dimension on people of the gender. For BMI and body mass, these are the surveys of
 * stature.
 */
function measuring({ manifest, measurement, gender }: Asked): readonly ManifestSurvey[] {
  const { axes, population } = manifest;
  const index = axes.measurements.indexOf(isBody(measurement) ? 'Stature' : measurement);
  const g = GENDERS.indexOf(gender);
  return population.surveys.filter(
    ({ people, measurements, role }) =>
      (people[g] as number) > 0 &&
      measurements.includes(index) &&
      // Only surveys of everybody say how heavy people are.
      (!isBody(measurement) || role === 'general population' || role === 'growth'),
  );
}

function surveysOf(asked: Asked): { surveys: readonly ManifestSurvey[]; reach: Reach } {
  const adult = measuring(asked).filter(({ role }) => role !== 'growth');
  const region = regionOf(asked);
  // Stature is compared with that of US civilians. Proportions are also compared with those of soldiers.
  const general = asked.measurement === 'Stature';
  const base = adult.filter(
    ({ role }) => role === 'general population' || (role === 'base' && !general),
  );
  const choices: [Reach, readonly ManifestSurvey[]][] = [
    ['country', adult.filter(({ country }) => country === asked.country)],
    ['region', adult.filter(({ country }) => regionOf({ ...asked, country }) === region)],
    ['base', base],
  ];
  for (const [reach, surveys] of choices) if (surveys.length > 0) return { surveys, reach };
  return { surveys: [], reach: 'none' };
}

function regionOf({ manifest: { axes, population }, country }: Asked): string {
  return population.regions[axes.countries.indexOf(country)] ?? '';
}

function basisOf(asked: Asked, surveys: readonly ManifestSurvey[], reach: Reach): string {
  const { manifest, measurement } = asked;
  const name = nameOf(asked.country);
  const many = `${surveys.length} ${surveys.length === 1 ? 'survey' : 'surveys'}`;
  const years = yearsOf(surveys);
  if (asked.country === BASE_COUNTRY && (measurement === 'Stature' || isBody(measurement))) {
    const what = { Stature: 'stature', BMI: 'BMI' }[measurement] ?? 'body mass';
    return `The ${what} of ${name} rests on NHANES, the surveys of its civilians since 1999.`;
  }
  const isSmall = asked.age < SMALL_CHILDREN_YEARS;
  if (measurement === 'Stature' && isSmall && fromAll(manifest, STUNTING_SOURCES)) {
    return `The stature of small children of ${name} rests on the share of stunted children in national surveys (UNICEF, WHO and World Bank, JME 2024) and on the country tables of NCD-RisC for children of 5 years.`;
  }
  if (measurement === 'Stature' && fromTables(manifest, 'ncdrisc-2016', 'ncdrisc-2020')) {
    const own = reach === 'country' ? `; ${many} of the country measured it too` : '';
    return `The stature of ${name} rests on the country tables of NCD-RisC, which pool height studies of all countries${own}.`;
  }
  if (isBody(measurement) && isSmall && fromAll(manifest, WASTING_SOURCES)) {
    return `The ${measurement === 'BMI' ? 'BMI' : 'body mass'} of small children of ${name} rests on the shares of wasted and overweight children in national surveys (UNICEF, WHO and World Bank, JME 2021) and, at birth, on the share of low birth weight (UNICEF and WHO, 2023).`;
  }
  if (isBody(measurement) && fromTables(manifest, 'ncdrisc-2024-bmi')) {
    return `The ${measurement === 'BMI' ? 'BMI' : 'body mass'} of ${name} rests on the country tables of NCD-RisC; a country that they lack takes the numbers of its neighbours.`;
  }
  if (reach === 'country') return `It was measured in ${name} by ${many}${years}.`;
  if (reach === 'region') {
    const region = regionOf(asked);
    return `No survey of ${name} measured it; it is borrowed from ${many} of its region, ${region}${years}.`;
  }
  if (reach === 'base') {
    return `No survey of ${name} or its region measured it; it is borrowed from ${many} of the United States${years}.`;
  }
  return 'No survey measured it; it is computed from other dimensions or from a published ratio.';
}

/** Under this age, stature and BMI outside the United States follow surveys of small children. */
const SMALL_CHILDREN_YEARS = 5;

/** Sources without which the stature, or the BMI, of small children comes from other tables. */
const STUNTING_SOURCES = ['jme2024', 'who2006', 'ncdrisc-2020-children'];
const WASTING_SOURCES = [...STUNTING_SOURCES, 'jme2021', 'lbw2023', 'ncdrisc-2024-bmi'];

/** Whether all the sources are in the artifact. */
function fromAll(manifest: Manifest, names: readonly string[]): boolean {
  return names.every((name) => fromTables(manifest, name));
}

/** Whether one of the sources is in the artifact. */
function fromTables({ sources }: Manifest, ...names: readonly string[]): boolean {
  return sources.some(({ name }) => names.includes(name));
}

function yearsOf(surveys: readonly ManifestSurvey[]): string {
  const years = surveys.map(({ year }) => year);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return first === last ? ` (${first})` : ` (${first} to ${last})`;
}

function borrowed(asked: Asked, reach: Reach): string[] {
  const { measurement, country } = asked;
  if (reach === 'country' || reach === 'none' || isBody(measurement) || measurement === 'Stature') {
    return [];
  }
  const from =
    reach === 'region'
      ? `Proportions are borrowed from ${regionOf(asked)}`
      : 'Proportions are borrowed from soldiers and civilians of the United States';
  return [`${from}; stature and BMI are those of ${nameOf(country)}.`];
}

function oldest(surveys: readonly ManifestSurvey[]): string[] {
  const newest = Math.max(...surveys.map(({ year }) => year));
  if (surveys.length === 0 || newest >= OLD_BEFORE) return [];
  return [
    `The newest of these surveys is of ${newest}; what changed since then is projected by stature and BMI.`,
  ];
}

/** A note about surveys of the country that the pipeline could not use because the size of their people is unknown. */
function withoutSize({ country }: Question, reach: Reach, own: { ownWeight?: number }): string[] {
  if (reach !== 'country' || own.ownWeight !== 0) return [];
  return [
    `The median does not follow what ${nameOf(country)} measured (weight 0): without the stature and the BMI of the people measured, size and proportion cannot be told apart.`,
  ];
}

/** Notes on medians that follow from others. */
function computed({ manifest: { population }, measurement }: Asked): string[] {
  if (measurement === 'BodyMass') return ['Body mass is computed as BMI times squared stature.'];
  const partsOf = (entries: readonly ManifestIdentity[]) =>
    entries.find((entry) => entry.measurement === measurement)?.terms.flatMap(({ of }) => of ?? []);
  const parts = partsOf(population.identities);
  if (parts !== undefined) return [`The median is computed from those of ${parts.join(' and ')}.`];
  const derived = partsOf(population.derived) ?? [];
  return derived.length === 1 ? [`It follows from ${derived[0]} in every person.`] : [];
}

/** Notes about ages that the surveys of bodies do not cover. */
function byAge({ measurement, age }: Question, surveys: readonly ManifestSurvey[]): string[] {
  if (age < SURVEYED.from) {
    if (isBody(measurement)) return ['Children: the BMI is that of their age.'];
    return [
      'Children: proportions come from children of the United States (1977), at the stature and BMI of today.',
    ];
  }
  const everybody = surveys.some(({ role }) => role === 'general population');
  if (age <= SURVEYED.to || everybody || isBody(measurement) || measurement === 'Stature')
    return [];
  return [
    `Surveys of bodies measured few people over ${SURVEYED.to} years; at this age lengths have the proportions of about 65 years, where hands are longer than at 25, and all others those of about 53, with the published loss of height.`,
  ];
}

/** Additions of clothes to a dimension for which no source was read (/docs/clothing-and-posture). */
const ASSUMED_CLOTHES: Partial<Record<string, string>> = {
  FootLength: 'shoes add to it (30 mm, boots 40)',
  SittingDistance: 'shoes add to the foot (30 mm, boots 40)',
  ButtockKneeLength: 'winter clothes add to it (20 mm)',
  UpperLegLengthSitting: 'winter clothes add to it (20 mm)',
  LegRoom: 'winter clothes add to ButtockKneeLength and AbdominalDepth (20 and 40 mm)',
  AbdominalDepth: 'winter clothes add to it (40 mm, as to the chest)',
};

/** Notes about constants that no source gives, where they reach the answer. */
function assumed({ measurement, age, country }: Question): string[] {
  const clothes = ASSUMED_CLOTHES[measurement];
  return [
    ...(clothes === undefined
      ? []
      : [`Answers with clothing: what ${clothes} is our own assumption.`]),
    ...(measurement === 'CircumferenceBelowKnee'
      ? ['Its ratio to the girth of the calf, 0.94, is our own assumption.']
      : []),
    ...(age < 1 && country === 'US'
      ? ['That newborns of the United States are those of WHO 2006 is our own assumption.']
      : []),
    ...(age < 1 && country !== 'US'
      ? [
          'That the mass of newborns scatters alike in all countries, within 3 %, is our own assumption.',
        ]
      : []),
    ...(measurement === 'Stature' && age >= 14 && age < SURVEYED.from && country !== 'US'
      ? [
          'How much of the growth comes after 18 years, at most 4 mm more than in CDC 2000, is our own assumption.',
        ]
      : []),
  ];
}

/** Ages in years around 24 months at which an answer names the step. */
const LYING = { from: 1.5, to: 2.5 } as const;

/** A note about the step at 24 months (WHO 2006, chapter 3: 0.7 cm). */
function lying({ measurement, age }: Question): string[] {
  if (age < LYING.from || age > LYING.to || !['Stature', 'BMI'].includes(measurement)) return [];
  return [
    'Under 24 months it is lying length, from then on standing height: the step of 7 mm is that of the WHO growth standards.',
  ];
}

function isBody(measurement: string): boolean {
  return (MASS_QUANTITIES as readonly string[]).includes(measurement);
}

/** Names that have an article in a sentence. */
const WITH_ARTICLE =
  /^(United|Netherlands|Philippines|Bahamas|Maldives|Gambia|Comoros|Central|Democratic)|(Federation|Republic|Islands)$/;

/** The name of a country inside a sentence. */
function nameOf(country: string): string {
  if (country === 'US') return 'the United States';
  const name = COUNTRIES.find(({ code }) => code === country)?.name ?? country;
  return WITH_ARTICLE.test(name) ? `the ${name}` : name;
}

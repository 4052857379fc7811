import { Problem } from '../../core/errors.js';
import { GENDERS } from '../../core/genders.js';
import { evidence } from '../../operations/evidence.js';
import { capital } from '../../site/in-sentence.js';
import type { MedianEvidence } from './data-types.js';
import type { FreeAnswers } from './free-computations.js';
import { type ChosenPopulation, exactAge, middleAge } from './populations.js';
import { codesOf } from './together.js';

/** Maximum number of countries of a population with evidence. Populations with more countries show none. */
const EVIDENCE_COUNTRIES_MAX = 6;

/** The evidence for one measurement of a population. */
export interface FoundEvidence {
  /** The worst of all. */
  readonly worst: MedianEvidence;
  /** The surveys behind all medians. */
  readonly surveys: readonly Survey[];
}

/**
 * The evidence for all countries and genders of a population at its middle age. Undefined if the population
 * has too many countries or if the model has no evidence.
 */
export async function evidenceOf(
  measurement: string,
  population: ChosenPopulation,
  answer: FreeAnswers['answer'],
): Promise<FoundEvidence | undefined> {
  const { gender } = population;
  const places = [...new Set(codesOf(population))];
  if (places.length > EVIDENCE_COUNTRIES_MAX) return undefined;
  let worst: MedianEvidence | undefined;
  const surveys: Survey[] = [];
  for (const country of places) {
    for (const one of gender === undefined ? GENDERS : [gender]) {
      const body = { measurement, gender: one, age: exactAge(middleAge(population)), country };
      const found = await evidenceAnswer(body, answer);
      if (found === undefined) return undefined;
      surveys.push(...found.surveys);
      const errorMm = Number(((found.high - found.low) / 2).toPrecision(2));
      if (worst !== undefined && worst.errorMm >= errorMm) continue;
      const measuredIn = [...new Set(found.surveys.map((survey) => survey.country))].sort();
      worst = { grade: found.grade, errorMm, basis: found.basis, measuredIn };
    }
  }
  return worst && { worst, surveys };
}

async function evidenceAnswer(body: object, answer: FreeAnswers['answer']) {
  try {
    return await answer(evidence, body);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/**
 * Titles of the surveys behind the medians of some populations, with years and countries. Surveys behind most medians
 * come first. Undefined if there is no evidence for one median.
 */
export async function surveysOfAll(
  measurements: readonly string[],
  populations: readonly ChosenPopulation[],
  { answer }: FreeAnswers,
): Promise<readonly string[] | undefined> {
  const used: Survey[] = [];
  for (const measurement of measurements) {
    for (const population of populations) {
      const known = await evidenceOf(measurement, population, answer);
      if (known === undefined) return undefined;
      used.push(...known.surveys);
    }
  }
  return titlesByUse(used);
}

/** Titles of surveys. Those that are used most often come first. */
export function titlesByUse(used: readonly Survey[]): readonly string[] {
  const uses = new Map<string, number>();
  for (const title of used.map(surveyTitle)) uses.set(title, (uses.get(title) ?? 0) + 1);
  const byUse = [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return byUse.map(([title]) => title);
}

/** A survey in an answer of the operation `evidence`. */
export interface Survey {
  readonly name: string;
  readonly year: number;
  readonly country: string;
}

// cspell:ignore USATTC AGARD Warfighter DSTO Harefuah Tzvait JASDF Kakimoto Obes Kolose
/** Titles of reports, from the column `citation` of the tables in `data/raw`. */
const TITLES: Readonly<Record<string, string>> = {
  ansur1: '1988 Anthropometric Survey of U.S. Army Personnel, NATICK/TR-89/044',
  ansur2: '2012 Anthropometric Survey of U.S. Army Personnel, NATICK/TR-15/007',
  usaf1967: 'Survey of US Air Force rated officers 1967, AMRL-TR-77-1',
  nhanes: 'National Health and Nutrition Examination Survey 1999–2023',
  snyder1977: 'Anthropometry of Infants, Children, and Youths to Age 18, UM-HSRI-77-17',
  nzdfas: 'New Zealand Defence Force Anthropometric Survey (Kolose et al. 2021)',
  'asran-2015': 'Anthropometric Survey of the Royal Australian Navy 2015, DST-Group-TR-3564',
  'asran-2015-women-part': 'Anthropometric Survey of the Royal Australian Navy 2015, women',
  awas: 'Australian Warfighter Anthropometry Survey (Edwards et al. 2014), DSTO-TR-3006',
  'canada-cf-1996': 'Canadian Forces, NATICK/TR-96/031',
  'de-gaf-1967': 'German Air Force survey 1967–68, AGARD-AG-205',
  'il-2019-tsur': 'Tsur et al. 2019, Harefuah Tzvait 16(1):16–21',
  'il-2020-hollander': 'Hollander et al. 2020, Obes Facts 13:152–165',
  'ja-1990-jasdf': 'Third anthropometric survey of the JASDF 1988 (Kakimoto 1990)',
  'kr-1965-korea': 'Korean Armed Forces 1965, AD0661625',
  'thai-1962': 'Royal Thai Armed Forces 1964, AD0450836',
};

const NASA = 'Anthropometric Source Book II, NASA RP-1024 (1978)';
const LATIN_AMERICA = 'Latin American Armed Forces 1965, USATTC 7209002';

/**
 * The title of a survey with the year of measurement and the country, such as
 * `German Air Force survey 1967–68, AGARD-AG-205 (DE, measured 1967)`.
 */
export function surveyTitle({ name, year, country }: Survey): string {
  return `${titleOf(name)} (${country}, measured ${year})`;
}

/** The title of the report of a survey. */
export function titleOf(name: string): string {
  const known = TITLES[name];
  if (known !== undefined) return known;
  const [, nasa] = /^rp1024-(.+)$/.exec(name) ?? [];
  if (nasa !== undefined) return /^S\d+$/.test(nasa) ? `${NASA}, survey ${nasa}` : NASA;
  if (name.startsWith('latam-1965-')) return LATIN_AMERICA;
  if (name.startsWith('korea-2015-')) return 'Size Korea 2015';
  const [, pmc, about] = /^(pmc\d+)-(.+)$/.exec(name) ?? [];
  if (pmc !== undefined && about !== undefined)
    return `${pmc.toUpperCase()}, ${capital(words(about))}`;
  const [, pooled] = /^pooled-(.+)$/.exec(name) ?? [];
  if (pooled !== undefined) return `Several studies together, ${capital(words(pooled))}`;
  // The names of other surveys consist of a language or country, the year of the report, the author and the
  // topic.
  const [, from, to, author, rest] =
    /^[a-z]{2}-(\d{4})(-\d{4})?-([a-z]+)(?:-(.+))?$/.exec(name) ?? [];
  if (from !== undefined && author !== undefined) {
    const study = `${capital(author)} ${from}${to === undefined ? '' : to.replace('-', '–')}`;
    return rest === undefined ? study : `${study}, ${capital(words(rest))}`;
  }
  return capital(words(name));
}

function words(code: string): string {
  return code.replaceAll('-', ' ');
}

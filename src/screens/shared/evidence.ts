import { membersOfSet } from '../../core/country-sets.js';
import { Problem } from '../../core/errors.js';
import { GENDERS } from '../../core/genders.js';
import { evidence } from '../../operations/evidence.js';
import { exactAge, middleAge } from './ages.js';
import type { MedianEvidence } from './data-types.js';
import type { FreeAnswers } from './free-computations.js';
import type { ChosenPopulation } from './populations.js';
import { type Survey, surveyTitle } from './survey-titles.js';

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
  const { gender, countries } = population;
  const places = [
    ...new Set(countries.flatMap((place): readonly string[] => membersOfSet(place) ?? [place])),
  ];
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

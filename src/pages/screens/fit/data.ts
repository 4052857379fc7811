import { isTemporary, Problem } from '../../../core/errors.js';
import { MEASUREMENTS } from '../../../core/measurements.js';
import { designRanges } from '../../../operations/design-ranges.js';
import { populationPercentiles } from '../../../operations/population-percentiles.js';
import { populationShare } from '../../../operations/population-share.js';
import { notesOf } from '../../pictures/notes.js';
import type { ExactCall } from '../shared/data-types.js';
import { type FoundPerson, foundPerson } from '../shared/found-person.js';
import { drawnOrBusy, exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import { inWords } from '../shared/labels.js';
import { type ChosenPopulation, populationLabel } from '../shared/populations.js';
import { groupsTogether } from '../shared/together.js';
import {
  type BoxLimit,
  clothingIn,
  FIT_PERCENTILES,
  FIT_PERSONS,
  type FitView,
  limitsOf,
  pairOf,
  rulesOf,
} from './address.js';
import type { ExactRanges, ExactShare, FitData, FitPopulation, ShareAnswer } from './data-types.js';
import { viewsOfProduct } from './scenes.js';

type Answer = FreeAnswers['answer'];

/**
 * The data of the Fit screen: answers of the API, and coarse curves for its pictures. Nothing is
 * charged.
 *
 * @param left aborted when nobody waits any more
 * @throws Problem as the API throws it, when every population is refused or no limit is left
 */
export async function fitDataOf(
  view: FitView,
  free: FreeAnswers,
  artifactVersion: string,
  left?: AbortSignal,
): Promise<FitData> {
  const { answer } = free;
  const hasBodies = free.hasBodies();
  const limits = limitsOf(view);
  refuseMasses(limits);
  refuseCrossed(limits);
  const populations: FitPopulation[] = [];
  let refused: Problem | undefined;
  for (const population of view.populations) {
    const label = populationLabel(population);
    try {
      populations.push({ label, ...(await populationOf(view, population, answer, left)) });
    } catch (error) {
      if (!(error instanceof Problem) || isTemporary(error.code)) throw error;
      refused ??= error;
      populations.push({ label, refusal: { code: error.code, detail: detailOf(error) } });
    }
  }
  if (refused !== undefined && populations.every(({ refusal }) => refusal !== undefined)) {
    throw refused;
  }
  if (refused !== undefined) {
    const notes = ['Numbers for all populations together need a valid population in every chip.'];
    return { populations, hasBodies, notes, artifactVersion };
  }
  const persons = await personsOf(view, populations, free, left);
  return {
    populations,
    hasBodies,
    ...(persons === undefined ? {} : { persons }),
    ...(await together(view, populations, answer, left)),
    artifactVersion,
  };
}

/** The people of the picture: members of the first population. */
async function personsOf(
  view: FitView,
  shown: readonly FitPopulation[],
  { answer, draw, hasBodies }: FreeAnswers,
  left?: AbortSignal,
): Promise<FitData['persons']> {
  const [population] = view.populations;
  const rules = rulesOf(view);
  const [rule] = rules;
  const curve = shown[0]?.curves?.find((one) => one.measurement === rule?.measurement);
  if (population === undefined || rule === undefined || curve === undefined) return undefined;
  const views = viewsOfProduct(view.product);
  if (!hasBodies() || views.length === 0) return undefined;
  const clothing = clothingIn(view, population);
  const { measurement } = rule;
  const found: (FoundPerson | undefined)[] = [];
  for (const percentile of FIT_PERSONS) {
    const value = curve.valuesMm[FIT_PERCENTILES.indexOf(percentile)] as number;
    found.push(await foundPerson(population, [{ measurement, value }], clothing, answer, left));
  }
  const people = found.flatMap((one) => (one === undefined ? [] : [one.person]));
  const drawn = await drawnOrBusy(draw({ people, views }));
  if (drawn === undefined || drawn === 'busy') return drawn;
  const names = rules.map((one) => one.measurement);
  let next = 0;
  return found.map((one) => {
    const own = one === undefined ? undefined : drawn[next++];
    if (one === undefined || own === undefined) return null;
    const { valuesMm } = one.person;
    return {
      who: one.who,
      drawings: own.drawings.map(({ regions: _, ...drawing }) => drawing),
      statureMm: own.achievedMm.Stature ?? 0,
      notes: notesOf(one.who, own, valuesMm, names),
    };
  });
}

/** Limits of masses have other units than the screen. */
function refuseMasses(limits: readonly BoxLimit[]): void {
  const mass = limits.find(({ measurement }) => ['BodyMass', 'BMI'].includes(measurement));
  if (mass === undefined) return;
  const message = `${mass.measurement} is no length. Choose one of the ${MEASUREMENTS.length} dimensions.`;
  throw new Problem('validation_error', message);
}

/** Two sizes can leave no length between them. The API's message would name fields of the call. */
function refuseCrossed(limits: readonly BoxLimit[]): void {
  for (const { measurement, minMm, maxMm } of limits) {
    if (minMm === undefined || maxMm === undefined || !(minMm >= maxMm)) continue;
    const words = inWords(measurement);
    const message = `Nobody can fit: ${words} would have to be at least ${minMm} mm and at most ${maxMm} mm.`;
    throw new Problem('validation_error', message);
  }
}

function detailOf({ message, extras }: Problem): string {
  return extras.errors?.[0]?.message ?? message;
}

/** The call that returns the share of some populations with the same clothing. */
function shareCall(view: FitView, populations: readonly ChosenPopulation[]): ExactCall {
  const limits = limitsOf(view).map(({ measurement, minMm, maxMm }) => ({
    measurement,
    ...(minMm === undefined ? {} : { min: minMm }),
    ...(maxMm === undefined ? {} : { max: maxMm }),
  }));
  return exactCallOf(populationShare, { ...peopleOf(view, populations), limits });
}

function peopleOf(view: FitView, populations: readonly ChosenPopulation[]) {
  const [first] = populations;
  const clothing = first === undefined ? 'nude' : clothingIn(view, first);
  const groups = groupsTogether(populations);
  return { population: { groups }, ...(clothing === 'nude' ? {} : { clothing }) };
}

async function exactShare(
  call: ExactCall,
  answer: Answer,
  left?: AbortSignal,
): Promise<ExactShare> {
  const { people, share, numericalError, limits } = (await answer(
    populationShare.name,
    call.body,
    left,
  )) as ShareAnswer;
  return { call, answer: { people, share, numericalError, limits } };
}

async function populationOf(
  view: FitView,
  population: ChosenPopulation,
  answer: Answer,
  left?: AbortSignal,
): Promise<Omit<FitPopulation, 'label'>> {
  const share = await exactShare(shareCall(view, [population]), answer, left);
  const measurements = [...new Set(limitsOf(view).map(({ measurement }) => measurement))];
  const people = peopleOf(view, [population]);
  const body = { ...people, measurements, percentiles: [...FIT_PERCENTILES] };
  const sheet = (await answer(populationPercentiles.name, body, left)) as {
    measurements: { measurement: string; values: { value: number }[] }[];
  };
  const curves = sheet.measurements.map(({ measurement, values }) => ({
    measurement,
    valuesMm: values.map(({ value }) => coarseMm(value)),
  }));
  const pair = pairOf(view);
  if (pair === undefined) return { share, curves };
  return { share, curves, correlation: await correlation(people, pair, answer, left) };
}

/** Rounded to the millimetre from 100 mm on, to three significant figures below (decision 0019). */
function coarseMm(valueMm: number): number {
  return Number(valueMm.toFixed(valueMm >= 100 ? 0 : valueMm >= 10 ? 1 : 2));
}

/**
 * The correlation of two normal scores from the share of people below both medians, p: for a
 * bivariate normal, p = 1/4 + asin(ρ) / 2π (Sheppard 1899, "On the application of the theory of
 * error to cases of normal distribution and normal correlation"). For a mixture it is that of the
 * normal distribution with the same share.
 */
async function correlation(
  people: object,
  pair: readonly [string, string],
  answer: Answer,
  left?: AbortSignal,
): Promise<number> {
  const limits = pair.map((measurement) => ({ measurement, maxPercentile: 50 }));
  const below = (await answer(populationShare.name, { ...people, limits }, left)) as ShareAnswer;
  const rho = Math.sin(2 * Math.PI * (below.share - 0.25));
  return Math.round(rho * 100) / 100;
}

/** The numbers of all populations together. */
async function together(
  view: FitView,
  shown: readonly FitPopulation[],
  answer: Answer,
  left?: AbortSignal,
): Promise<Pick<FitData, 'overall' | 'ranges' | 'notes'>> {
  const dresses = new Set(view.populations.map((one) => clothingIn(view, one)));
  if (dresses.size > 1) {
    const note = 'Numbers for all populations together need the same clothing in every population.';
    return { notes: [note] };
  }
  const [only] = shown;
  const overall =
    shown.length === 1 && only?.share !== undefined
      ? only.share
      : await exactShare(shareCall(view, view.populations), answer, left);
  try {
    return { overall, ranges: await rangesOf(view, answer, left), notes: [] };
  } catch (error) {
    if (!(error instanceof Problem) || isTemporary(error.code)) throw error;
    return { overall, notes: [detailOf(error)] };
  }
}

async function rangesOf(view: FitView, answer: Answer, left?: AbortSignal): Promise<ExactRanges> {
  const dimensions = limitsOf(view).map(({ measurement, minMm, maxMm }) => ({
    measurement,
    side: minMm === undefined ? 'max' : maxMm === undefined ? 'min' : 'both',
  }));
  const call = exactCallOf(designRanges, {
    ...peopleOf(view, view.populations),
    targetShare: Math.round(view.targetPercent * 1000) / 1e5,
    dimensions,
  });
  const { share, ranges } = (await answer(
    designRanges.name,
    call.body,
    left,
  )) as ExactRanges['answer'];
  return { call, answer: { share, ranges } };
}

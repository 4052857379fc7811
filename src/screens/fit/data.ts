import { Problem } from '../../core/errors.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { populationShare } from '../../operations/population-share.js';
import { samplePeople } from '../../operations/sample-people.js';
import type { ExactCall } from '../shared/data-types.js';
import { surveysOfAll } from '../shared/evidence.js';
import type { FreeAnswers, FreeRequest } from '../shared/free-computations.js';
import { type ChosenPopulation, populationLabel } from '../shared/populations.js';
import { SAME_CLOTHING } from '../shared/together.js';
import { FIT_PERCENTILES, type FitView, limitsOf, measurementsOf, pairOf } from './address.js';
import type { ExactShare, FitData, FitKnown, FitPopulation, ShareAnswer } from './data-types.js';
import { type AskedDesign, designOf, isWhole, ownShare } from './design.js';
import { OWN_ID } from './products.js';
import { withDesign } from './proposal.js';
import {
  coarse,
  detailOf,
  dotsOf,
  dressesOf,
  isCrossed,
  type Percentiles,
  peopleOf,
  refuseCrossed,
  refuseFaults,
  refuseTemporary,
  type Sample,
  shareCall,
  shownShare,
} from './requests.js';
import { knownOf, personsOf } from './these-people.js';

/** Number of people in a plot of two dimensions, over all populations. */
const DOTS = 240;

/**
 * The data of the Fit screen: answers of the API, and coarse curves and people for its pictures. Nothing is
 * charged.
 *
 * @param left aborted when nobody waits for the data any more
 * @throws Problem of the API if every population is refused or no limit is left
 */
export async function fitDataOf(
  view: FitView,
  free: FreeAnswers,
  artifactVersion: string,
  left?: AbortSignal,
): Promise<FitData> {
  refuseFaults(view);
  const { populations, refused } = await askedPeople(view, free, left);
  if (populations.every(({ refusal }) => refusal !== undefined) && refused !== undefined) {
    throw refused;
  }
  const asked = await askedDesign(view, refused, free, left);
  const { known: judged = [], ...design } = asked;
  const own = withDesign(view, design.design);
  const [shares, persons] = await Promise.all([
    askedShares(own, design, populations, free, left),
    personsOf(own, populations, free, left),
  ]);
  // One after the other, because few computations of a page may wait at once.
  const known: (FitKnown | null)[] = [];
  for (const [index, one] of view.known.entries()) {
    known.push(await knownOf(view, one, judged[index], free, left));
  }
  return {
    ...{ product: view.product, hasBodies: free.hasBodies(), artifactVersion },
    ...design,
    ...shares,
    ...(persons === undefined ? {} : { persons }),
    known,
  };
}

/** The answer for all people together, or a note that says why there is none. */
async function askedDesign(
  view: FitView,
  refused: Problem | undefined,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<AskedDesign> {
  const none = (note: string) => ({ conflicts: [], notes: [note] });
  if (refused !== undefined) {
    return none('Numbers for all populations together need a valid population in every chip.');
  }
  if (dressesOf(view).size > 1) return none(SAME_CLOTHING);
  try {
    return await designOf(view, free, left);
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'computation_too_large') throw error;
    refuseTemporary([error]);
    return none(detailOf(error));
  }
}

interface AskedPeople {
  readonly populations: readonly FitPopulation[];
  /** Why the first population that is refused is. */
  readonly refused?: Problem;
}

/** The curves and dots of each population. */
async function askedPeople(
  view: FitView,
  { answers }: FreeAnswers,
  left?: AbortSignal,
): Promise<AskedPeople> {
  const names = measurementsOf(view);
  const pair = pairOf(view);
  const count = Math.floor(DOTS / view.populations.length);
  const requests = view.populations.flatMap((population): FreeRequest[] => {
    const people = peopleOf(view, [population]);
    const percentiles = { ...people, measurements: names, percentiles: [...FIT_PERCENTILES] };
    const sample = { ...people, measurements: pair ?? [], count, seed: 1 };
    return [
      { operation: populationPercentiles.name, body: percentiles },
      ...(pair === undefined ? [] : [{ operation: samplePeople.name, body: sample }]),
    ];
  });
  const found = await answers(requests, left);
  refuseTemporary(found);
  const each = pair === undefined ? 1 : 2;
  let refused: Problem | undefined;
  const populations = view.populations.map((population, index): FitPopulation => {
    const label = populationLabel(population);
    const [sheet, sample] = found.slice(index * each, (index + 1) * each);
    if (sheet instanceof Problem) {
      refused ??= sheet;
      return { label, refusal: { code: sheet.code, detail: detailOf(sheet) } };
    }
    const curves = (sheet as Percentiles).measurements.map(({ measurement, values }) => ({
      measurement,
      valuesMm: values.map(({ value }) => coarse(value, measurement)),
    }));
    if (pair === undefined || sample instanceof Problem) return { label, curves };
    return { label, curves, dots: dotsOf(sample as Sample, pair) };
  });
  return { populations, ...(refused === undefined ? {} : { refused }) };
}

type Shares = Pick<FitData, 'overall' | 'surveys' | 'pairShare' | 'populations'>;

/** The share that the sizes fit, of each population, and of all people in the plot of two dimensions. */
async function askedShares(
  view: FitView,
  { overall: known }: AskedDesign,
  shown: readonly FitPopulation[],
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<Shares> {
  if (!isWhole(view)) return { populations: shown };
  const limits = limitsOf(view);
  if (view.product === OWN_ID) refuseCrossed(limits);
  // Nobody fits a product with such sizes, which the answer for all people says.
  if (limits.some(isCrossed)) {
    return { populations: shown, ...(known === undefined ? {} : { overall: known }) };
  }
  const all = view.populations;
  const valid = all.filter((_, index) => shown[index]?.refusal === undefined);
  const isTogether = dressesOf(view).size === 1 && valid.length === all.length;
  const pair = pairOf(view);
  const ofPair = limits.filter(({ measurement }) => pair?.includes(measurement));
  const surveys = isTogether ? await surveysOfAll(measurementsOf(view), all, free) : undefined;
  const isOwn = view.product === OWN_ID && isTogether && known === undefined;
  const calls = {
    each: valid.map((one) => shareCall(view, [one], limits)),
    all: isOwn && all.length > 1 ? [shareCall(view, all, limits)] : [],
    pair: isTogether && ofPair.length < limits.length ? [shareCall(view, all, ofPair)] : [],
  };
  const asked = Object.values(calls).flat();
  const found = await free.answers(
    asked.map(({ body }) => ({ operation: populationShare.name, body })),
    left,
  );
  refuseTemporary(found);
  const exact = (call: ExactCall | undefined): ExactShare | undefined => {
    const result = call === undefined ? undefined : found[asked.indexOf(call)];
    if (call === undefined || result === undefined || result instanceof Problem) return undefined;
    return { call, answer: shownShare(result as ShareAnswer) };
  };
  const populations = shown.map((one, index): FitPopulation => {
    const place = valid.indexOf(all[index] as ChosenPopulation);
    if (place === -1) return one;
    const share = exact(calls.each[place]);
    if (share !== undefined) return { ...one, share };
    const result = found[place];
    if (!(result instanceof Problem)) return one;
    if (all.length === 1) throw result;
    return { label: one.label, refusal: { code: result.code, detail: detailOf(result) } };
  });
  if (!isTogether) return { populations };
  const together = isOwn ? exact(calls.all[0] ?? calls.each[0]) : undefined;
  const overall = known ?? (together && ownShare(view, together));
  const pairShare = calls.pair.length === 0 ? overall?.share : exact(calls.pair[0])?.answer.share;
  return {
    populations,
    ...(overall === undefined ? {} : { overall }),
    ...(pair === undefined || pairShare === undefined ? {} : { pairShare }),
    ...(surveys === undefined ? {} : { surveys }),
  };
}

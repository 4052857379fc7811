import { Problem } from '../../core/errors.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { populationShare } from '../../operations/population-share.js';
import { samplePeople } from '../../operations/sample-people.js';
import type { ExactCall } from '../shared/data-types.js';
import { surveysOfAll } from '../shared/evidence.js';
import type { FreeAnswers } from '../shared/free-computations.js';
import { plainDetail } from '../shared/plain-words.js';
import { type ChosenPopulation, populationLabel } from '../shared/populations.js';
import { SAME_CLOTHING } from '../shared/together.js';
import { type FitView, limitsOf, measurementsOf, pairOf } from './address.js';
import type { FitData, FitKnown, FitPopulation } from './data-types.js';
import { type AskedDesign, designOf, isWhole, ownShare } from './design.js';
import { OWN_ID } from './products.js';
import { drawnView, withDesign } from './proposal.js';
import {
  curvesOf,
  curvesRequest,
  dotsOf,
  dressesOf,
  isCrossed,
  peopleOf,
  refusalOf,
  refuseCrossed,
  refuseFaults,
  refuseTemporary,
  shareCall,
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
  const drawn = drawnView(view, { ...design, known: judged });
  const [shares, persons] = await Promise.all([
    askedShares(own, design, populations, free, left),
    personsOf(drawn, populations, free, left),
  ]);
  // One after the other, because few computations of a page may wait at once.
  const known: (FitKnown | null)[] = [];
  for (const [index, one] of view.known.entries()) {
    known.push(await knownOf(drawn, one, judged[index], free, left));
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
    refuseTemporary(error);
    return none(plainDetail(error));
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
  const pair = pairOf(view);
  const count = Math.floor(DOTS / view.populations.length);
  const drawn = { measurements: pair, count, seed: 1 };
  const found = await answers(
    {
      sheets: [populationPercentiles, view.populations.map((one) => curvesRequest(view, one))],
      samples: [
        samplePeople,
        (pair === undefined ? [] : view.populations).map((one) => ({
          ...peopleOf(view, [one]),
          ...drawn,
        })),
      ],
    },
    left,
  );
  refuseTemporary(...found.sheets, ...found.samples);
  let refused: Problem | undefined;
  const populations = view.populations.map((population, index): FitPopulation => {
    const label = populationLabel(population);
    const sheet = found.sheets[index] as (typeof found.sheets)[number];
    const sample = found.samples[index];
    if (sheet instanceof Problem) {
      refused ??= sheet;
      return { label, refusal: refusalOf(sheet) };
    }
    const curves = curvesOf(sheet);
    if (pair === undefined || sample === undefined || sample instanceof Problem) {
      return { label, curves };
    }
    return { label, curves, dots: dotsOf(sample, pair) };
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
  const each = valid.map((one) => shareCall(view, [one], limits));
  const ofAll = isOwn && all.length > 1 ? [shareCall(view, all, limits)] : [];
  const inBox = isTogether && ofPair.length < limits.length ? [shareCall(view, all, ofPair)] : [];
  const bodiesOf = (calls: readonly ExactCall[]) => calls.map(({ body }) => body);
  const found = await free.answers(
    {
      each: [populationShare, bodiesOf(each)],
      ofAll: [populationShare, bodiesOf(ofAll)],
      inBox: [populationShare, bodiesOf(inBox)],
    },
    left,
  );
  refuseTemporary(...found.each, ...found.ofAll, ...found.inBox);
  const exact = (calls: readonly ExactCall[], answers: typeof found.each, place = 0) => {
    const [call, answer] = [calls[place], answers[place]];
    return call && answer && !(answer instanceof Problem) ? { call, answer } : undefined;
  };
  const populations = shown.map((one, index): FitPopulation => {
    const place = valid.indexOf(all[index] as ChosenPopulation);
    const answer = found.each[place];
    if (!(answer instanceof Problem)) return { ...one, share: exact(each, found.each, place) };
    if (all.length === 1) throw answer;
    return { label: one.label, refusal: refusalOf(answer) };
  });
  if (!isTogether) return { populations };
  const together = ofAll.length > 0 ? exact(ofAll, found.ofAll) : exact(each, found.each);
  const overall = known ?? (isOwn && together ? ownShare(view, together) : undefined);
  const pairShare = inBox.length === 0 ? overall?.share : exact(inBox, found.inBox)?.answer.share;
  return {
    populations,
    ...(overall === undefined ? {} : { overall }),
    ...(pair === undefined || pairShare === undefined ? {} : { pairShare }),
    ...(surveys === undefined ? {} : { surveys }),
  };
}

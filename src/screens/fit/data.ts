import { Problem } from '../../core/errors.js';
import { TARGET_SHARE_LIMITS } from '../../core/limits.js';
import { designRanges } from '../../operations/design-ranges.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { populationShare } from '../../operations/population-share.js';
import { samplePeople } from '../../operations/sample-people.js';
import { percent } from '../../site/labels.js';
import { formatLength, shownUnit } from '../../site/lengths.js';
import type { ExactCall } from '../shared/data-types.js';
import { surveysOfAll } from '../shared/evidence.js';
import { exactCallOf, type FreeAnswers, type FreeRequest } from '../shared/free-computations.js';
import { type ChosenPopulation, populationLabel } from '../shared/populations.js';
import { FIT_PERCENTILES, type FitView, limitsOf, measurementsOf, pairOf } from './address.js';
import type {
  ExactRanges,
  ExactShare,
  FitData,
  FitKnown,
  FitPopulation,
  ShareAnswer,
} from './data-types.js';
import { productById } from './products.js';
import {
  asProposed,
  dimensionsOf,
  isProposed,
  proposedDesign,
  severalSizes,
  widenedDesign,
  withDesign,
} from './proposal.js';
import {
  coarse,
  detailOf,
  dotsOf,
  dressesOf,
  exactShare,
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
import { needsOfKnown, personsOf } from './these-people.js';

/** Number of people in a plot of two dimensions, over all populations. */
const DOTS = 240;
/**
 * Maximum number of times that sizes are widened. The numerical error of ranges can make sizes fit too few
 * people.
 */
const WIDENED_MAX = 3;
/** Maximum number of times that ranges of several populations are narrowed, and the excess that may remain. */
const NARROWED_MAX = 5;
const EXCESS_PERCENT = 0.5;

/**
 * The data of the Fit screen: answers of the API, and coarse curves and people for its pictures. Nothing is
 * charged. A view asks for all answers in two turns of a thread: first about the people, then about the share
 * that the sizes fit.
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
  const hasBodies = free.hasBodies();
  const common = { product: view.product, hasBodies, artifactVersion };
  refuseFaults(view);
  const asked = await askedPeople(view, free, left);
  const { populations } = asked;
  const notes = [...asked.notes];
  if (asked.refused !== undefined) {
    if (populations.every(({ refusal }) => refusal !== undefined)) throw asked.refused;
    notes.push('Numbers for all populations together need a valid population in every chip.');
  }
  const ranges = asked.ranges && (await justEnough(view, asked.ranges, free, left));
  const proposal = ranges && (await enoughFor(view, ranges, free, left));
  if (ranges !== undefined && proposal !== undefined) {
    notes.push(...(await severalSizesText(view, ranges, proposal, free, left)));
  }
  const own = withDesign(view, proposal);
  const [shares, persons] = await Promise.all([
    askedShares(view, own, proposal?.share, populations, free, left),
    personsOf(own, populations, free, left),
  ]);
  // One after the other, because few computations of a page may wait at once.
  const known: (FitKnown | null)[] = [];
  for (const one of view.known) {
    known.push(await needsOfKnown(view, one, free, left));
  }
  return {
    ...common,
    ...shares,
    ...(persons === undefined ? {} : { persons }),
    ...(ranges === undefined ? {} : { ranges }),
    ...(proposal === undefined ? {} : { proposal }),
    known,
    notes,
  };
}

interface AskedPeople {
  readonly populations: readonly FitPopulation[];
  readonly ranges?: ExactRanges;
  readonly notes: readonly string[];
  /** Why the first population that is refused is. */
  readonly refused?: Problem;
}

/** The answers about the people: curves and dots of each population, and the ranges of all populations. */
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
  const isSameDress = dressesOf(view).size === 1;
  const calls = designedFor(view).map((people) => rangesCall(view, people, view.targetPercent));
  if (isSameDress) {
    requests.push(...calls.map(({ body }) => ({ operation: designRanges.name, body })));
  }
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
  const common = { populations, ...(refused === undefined ? {} : { refused }) };
  if (!isSameDress) {
    const note = 'Numbers for all populations together need the same clothing in every population.';
    return { ...common, notes: [note] };
  }
  const all = found.slice(-calls.length);
  const problem = all.find((one) => one instanceof Problem);
  if (problem !== undefined) {
    return { ...common, notes: refused === undefined ? [detailOf(problem)] : [] };
  }
  const answer = { ranges: rangesOfAll(all as ExactRanges['answer'][]) };
  return { ...common, ranges: { calls, answer }, notes: [] };
}

/** The people of whom the sizes must serve the wanted share: all together, or each population. */
function designedFor({ product, populations }: FitView): readonly (readonly ChosenPopulation[])[] {
  return productById(product)?.forEach === true ? populations.map((one) => [one]) : [populations];
}

/** The ranges that contain those of all answers. */
function rangesOfAll([first, ...others]: readonly ExactRanges['answer'][]) {
  return (first?.ranges ?? []).map(({ measurement, min, max }, index) => {
    const rest = others.flatMap(({ ranges }) => ranges[index] ?? []);
    return {
      measurement,
      ...(min === undefined ? {} : { min: Math.min(min, ...rest.map((one) => one.min ?? min)) }),
      ...(max === undefined ? {} : { max: Math.max(max, ...rest.map((one) => one.max ?? max)) }),
    };
  });
}

function rangesCall(
  view: FitView,
  people: readonly ChosenPopulation[],
  percent: number,
): ExactCall {
  return exactCallOf(designRanges, {
    ...peopleOf(view, people),
    targetShare: Math.round(percent * 1000) / 1e5,
    dimensions: [...dimensionsOf(view)],
  });
}

/**
 * Ranges that serve each population just the wanted share. The ranges of several populations together are wider than
 * those of each. So each population is asked for less, until its share in the ranges of all is the wanted one.
 */
async function justEnough(
  view: FitView,
  ranges: ExactRanges,
  { answers }: FreeAnswers,
  left?: AbortSignal,
): Promise<ExactRanges> {
  const parts = designedFor(view);
  if (parts.length === 1) return ranges;
  const found = async (operation: FreeRequest['operation'], calls: readonly ExactCall[]) => {
    const all = await answers(
      calls.map(({ body }) => ({ operation, body })),
      left,
    );
    for (const one of all) if (one instanceof Problem) throw one;
    return all;
  };
  const asked = parts.map(() => view.targetPercent);
  let [best, leastExcess] = [ranges, Number.POSITIVE_INFINITY];
  for (let next = ranges, step = 0; step <= NARROWED_MAX; step++) {
    const design = proposedDesign(view, next.answer.ranges, shownUnit(view.unit));
    const limits = limitsOf(withDesign({ ...view, ...asProposed(view) }, design));
    if (limits.some(isCrossed)) break;
    const shares = await found(
      populationShare.name,
      parts.map((people) => shareCall(view, people, limits)),
    );
    const excess = shares.map((one) => 100 * (one as ShareAnswer).share - view.targetPercent);
    const most = Math.max(...excess);
    if (Math.min(...excess) >= 0 && most < leastExcess) [best, leastExcess] = [next, most];
    if (leastExcess <= EXCESS_PERCENT || step === NARROWED_MAX) break;
    for (const [index, more] of excess.entries()) {
      // Most populations reach one end of the ranges only, where half of what is taken off is lost.
      const less = (asked[index] as number) - 1.5 * (more - EXCESS_PERCENT / 2);
      asked[index] = Math.min(
        view.targetPercent,
        Math.max(TARGET_SHARE_LIMITS.minimum * 100, less),
      );
    }
    const calls = parts.map((people, index) => rangesCall(view, people, asked[index] as number));
    const all = (await found(designRanges.name, calls)) as ExactRanges['answer'][];
    next = { calls, answer: { ranges: rangesOfAll(all) } };
  }
  return best;
}

/** The rounded sizes for the wanted share of all people, and the share that they really fit. */
async function enoughFor(
  view: FitView,
  { answer: { ranges } }: ExactRanges,
  { answer }: FreeAnswers,
  left?: AbortSignal,
): Promise<FitData['proposal']> {
  const unit = shownUnit(view.unit);
  const empty = { ...view, ...asProposed(view) };
  let design = proposedDesign(view, ranges, unit);
  for (let widened = 0; ; widened++) {
    const limits = limitsOf(withDesign(empty, design));
    if (limits.some(isCrossed)) return design;
    const shareOf = (people: readonly ChosenPopulation[]) =>
      exactShare(shareCall(view, people, limits), answer, left);
    const share = await shareOf(view.populations);
    const parts = designedFor(view);
    const shares = parts.length === 1 ? [share] : [];
    for (const people of parts.slice(shares.length)) shares.push(await shareOf(people));
    // Ranges have a numerical error, which may leave a size slightly too small.
    const isEnough = shares.every((one) => one.answer.share >= view.targetPercent / 100);
    if (isEnough || widened === WIDENED_MAX) return { ...design, share };
    design = widenedDesign(view, design, unit);
  }
}

/** If one product does not serve the wanted share: how many sizes of it do, in a sentence. */
async function severalSizesText(
  view: FitView,
  { answer: { ranges } }: ExactRanges,
  proposal: NonNullable<FitData['proposal']>,
  { answer }: FreeAnswers,
  left?: AbortSignal,
): Promise<readonly string[]> {
  const one = proposal.share?.answer.share;
  if (one === undefined || one >= view.targetPercent / 100) return [];
  const unit = shownUnit(view.unit);
  const several = severalSizes(view, ranges, unit);
  if (several === undefined) return [];
  const { label, valuesMm, limit } = several;
  const limits = limitsOf(withDesign({ ...view, ...asProposed(view) }, proposal)).map((other) =>
    other.measurement === limit.measurement ? limit : other,
  );
  const share = await exactShare(shareCall(view, view.populations, limits), answer, left);
  const values = valuesMm.map((mm) => formatLength(mm, unit)).join(', ');
  return [
    `${valuesMm.length} sizes serve ${percent(share.answer.share)} together: ${label.toLowerCase()} ${values}. Each has the other sizes above.`,
  ];
}

type Shares = Pick<FitData, 'overall' | 'surveys' | 'pairShare' | 'populations'>;

/** The share that the sizes fit, of each population and of all populations together. */
async function askedShares(
  view: FitView,
  own: FitView,
  proposed: ExactShare | undefined,
  shown: readonly FitPopulation[],
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<Shares> {
  const limits = limitsOf(own);
  refuseCrossed(limits);
  const all = view.populations;
  const valid = all.filter((_, index) => shown[index]?.refusal === undefined);
  const isTogether = dressesOf(view).size === 1 && valid.length === all.length;
  const pair = pairOf(view);
  const ofPair = limits.filter(({ measurement }) => pair?.includes(measurement));
  // With one population and the proposed sizes, the share is already known from the proposal.
  const isAlone = all.length === 1 && isProposed(view) && proposed !== undefined;
  const surveys = isTogether ? await surveysOfAll(measurementsOf(view), all, free) : undefined;
  const calls = {
    each: isAlone ? [] : valid.map((one) => shareCall(view, [one], limits)),
    all: isTogether && all.length > 1 && !isProposed(view) ? [shareCall(view, all, limits)] : [],
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
    const share = isAlone ? proposed : exact(calls.each[place]);
    if (share !== undefined) return { ...one, share };
    const result = found[place];
    if (!(result instanceof Problem)) return one;
    if (all.length === 1) throw result;
    return { label: one.label, refusal: { code: result.code, detail: detailOf(result) } };
  });
  if (!isTogether) return { populations };
  const overall = (isProposed(view) ? proposed : undefined) ?? exact(calls.all[0] ?? calls.each[0]);
  const pairShare = (calls.pair.length === 0 ? overall : exact(calls.pair[0]))?.answer.share;
  return {
    populations,
    ...(overall === undefined ? {} : { overall }),
    ...(pair === undefined || pairShare === undefined ? {} : { pairShare }),
    ...(surveys === undefined ? {} : { surveys }),
  };
}

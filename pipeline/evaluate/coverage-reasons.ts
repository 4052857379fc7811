import { zOfPercentile } from '../../src/lookup/cell.js';
import { type BinCoverage, coverageOf, PERCENTILES } from './coverage.js';
import type { Rho } from './coverage-rho.js';
import {
  ANCHORS,
  type Anchors,
  about,
  isOut,
  type PairOut,
  pairKey,
  pairsOf,
  pairsOut,
} from './coverage-summary.js';
import { two } from './markdown.js';
import { groupBy } from './metrics.js';

/** A pair out of tolerance, with the place, size and reason of its error. */
export interface ExplainedPair {
  readonly out: readonly PairOut[];
  readonly reason: string;
}

/** Another survey's correlations, which show whether surveys differ. */
export interface Witness {
  readonly name: string;
  readonly rho: Rho;
}

/** Smaller differences are not mentioned: of the spread, of the median (in SD), and of the tails. */
const NOTED_SPREAD = 0.05;
const NOTED_OFFSET = 0.1;
const NOTED_TAILS = 0.07;
/** Another survey explains an error of the model if it differs by at least this share of the error. */
const EXPLAINED_SHARE = 0.5;
/** A difference between correlations may be chance up to this number of standard errors. */
const CHANCE_SE = 2.5;

const fisherZ = (rho: number): number => Math.atanh(Math.max(-0.999, Math.min(0.999, rho)));

/** Shape of a bin's distribution, relative to a normal distribution about the survey's own line. */
function shapeOf(bin: BinCoverage) {
  const at = (p: (typeof PERCENTILES)[number]) => bin.quantiles[PERCENTILES.indexOf(p)] as number;
  const sd = Math.sqrt(1 - bin.rho ** 2);
  const middle = (at(90) - at(10)) / (2 * zOfPercentile(90));
  const outer = (at(97.5) - at(2.5)) / (2 * zOfPercentile(97.5));
  return { spread: middle / sd, offset: at(50) / sd, tails: outer / middle };
}

function shapeReason(bins: readonly BinCoverage[], anchors: Anchors): string[] {
  const chosen = bins.filter((bin) => about(anchors, bin));
  const n = chosen.reduce((sum, bin) => sum + bin.nEffective, 0);
  const mean = (key: keyof ReturnType<typeof shapeOf>): number =>
    chosen.reduce((sum, bin) => sum + bin.nEffective * shapeOf(bin)[key], 0) / n;
  const where = anchors === 'all' ? 'everywhere' : `about ${anchors}`;
  const found: string[] = [];
  if (Math.abs(mean('spread') - 1) > NOTED_SPREAD)
    found.push(`spread ${where} ${two(mean('spread'))} of what the survey’s own correlation gives`);
  if (anchors !== 'all' && Math.abs(mean('offset')) > NOTED_OFFSET)
    found.push(`bent line: median ${where} off by ${two(mean('offset'))} SD`);
  if (Math.abs(mean('tails') - 1) > NOTED_TAILS)
    found.push(`tails ${where} ${two(mean('tails'))} of the normal`);
  return found;
}

function correlationReason(bin: BinCoverage, n: number, witnesses: readonly Witness[]): string {
  const { gender, anchor, linked, rho, predicted } = bin;
  const said = witnesses.flatMap(({ name, rho: of }) => {
    const found = of(gender, anchor, linked);
    return found === undefined ? [] : [{ text: `${two(found)} in ${name}`, rho: found }];
  });
  const off = fisherZ(predicted) - fisherZ(rho);
  const inSe = Math.abs(off) * Math.sqrt(n / 2);
  // If another survey differs from this one in the same direction and by enough, the model is not the cause.
  const differ = said.some((other) => (fisherZ(other.rho) - fisherZ(rho)) / off > EXPLAINED_SHARE);
  const cause = differ ? 'the surveys differ' : 'slopes and residuals do not add up here';
  const weighed =
    inSe < CHANCE_SE
      ? `within chance, ${inSe.toFixed(1)} standard errors`
      : `${inSe.toFixed(0)} standard errors: ${cause}`;
  const others = said.map(({ text }) => text).join(', ');
  return `correlation ${two(rho)} here, ${two(predicted)} predicted (${others}); ${weighed}`;
}

function reasonOf(
  out: readonly PairOut[],
  bins: readonly BinCoverage[],
  witnesses: readonly Witness[],
): string {
  const own = bins.map((bin) => ({ ...bin, covered: coverageOf(bin, bin.rho) }));
  const ofOwn = new Map(ANCHORS.map((anchors) => [anchors, pairsOf(own, anchors)[0]]));
  // If the range misses with the survey's own correlation, too, the shape of the cloud is the cause.
  const shaped = out.filter(({ anchors, range }) => {
    const pair = ofOwn.get(anchors);
    return pair !== undefined && isOut(pair, range);
  });
  const bin = bins[0] as BinCoverage;
  const people = bins.reduce((sum, { nEffective }) => sum + nEffective, 0);
  const reasons = [...new Set(shaped.map(({ anchors }) => anchors))].flatMap((anchors) =>
    shapeReason(bins, anchors),
  );
  if (shaped.length < out.length || reasons.length === 0) {
    reasons.unshift(correlationReason(bin, people, witnesses));
  }
  return [...new Set(reasons)].join('; ');
}

/**
 * All pairs that are out of tolerance at some anchors, each with its reason. The pair with the largest error comes
 * first.
 */
export function explainPairs(
  bins: readonly BinCoverage[],
  witnesses: readonly Witness[],
): ExplainedPair[] {
  const byPair = new Map(groupBy(bins, pairKey));
  const off = (out: readonly PairOut[]): number =>
    Math.max(...out.map(({ covered, range }) => Math.abs(covered[range] - range / 100)));
  const all = ANCHORS.flatMap((anchors) => pairsOut(bins, anchors));
  return groupBy(all, pairKey)
    .sort(([, a], [, b]) => off(b) - off(a))
    .map(([key, out]) => ({ out, reason: reasonOf(out, byPair.get(key) ?? [], witnesses) }));
}

import { NUDE } from '../../src/population/bodies.js';
import { keptPeople } from '../../src/population/limits.js';
import { designRanges } from '../../src/population/ranges.js';
import { paragraphs, percent, table, two } from '../evaluate/markdown.js';
import { groupBy } from '../evaluate/metrics.js';
import { DESIGN_AGES, type UsPeople, usMarket } from '../evaluate/us-bodies.js';
import { ShareJudge, type ValueLimit } from '../evaluate/us-shares.js';
import { mean } from '../numerics/numbers.js';
import { FREE_NAMES } from '../plans/joint-plan.js';
import { drawNames, PERSON_NAMES, uniformNumbers } from '../plans/limit-sets.js';

/** Ranges of one design: their total width, and the smallest that a search finds. */
export interface RangeWidth {
  /** Quantities of the design; each is limited on both sides. */
  readonly names: readonly string[];
  /** Sum of the widths of the ranges of `design_ranges`, each in SD of its quantity. */
  readonly equalTails: number;
  /** The smallest sum where the two tails of a quantity are equal, but quantities may differ. */
  readonly best: number;
  /** The smallest sum where every end of every range may move. */
  readonly bestFree: number;
}

/** Share of the people that the ranges hold. */
const WIDTH_SHARE = 0.95;
/** Designs of each number of quantities. */
const WIDTH_DESIGNS = 4;
const WIDTH_SIZES = [2, 3, 4] as const;
const DESIGN_SEED = 1961;
/** Quantities of designs: free ones, of which none determines another. */
const NAMES = PERSON_NAMES.filter((name) => (FREE_NAMES as readonly string[]).includes(name));

/** Lattice points of a cohort in the search. */
const POINTS = 48;
/** Steps of the search in ln of tail probabilities; the last is above 0.03. */
const FIRST_STEP = 0.64;
const LEAST_STEP = 0.03;

/**
 * The smallest value of a function near a start, by pattern search (Hooke and Jeeves 1961, J. ACM 8:212):
 * every coordinate is tried in both directions, and the step is halved when none of them helps.
 *
 * @param cost function of the coordinates
 * @returns the least cost and where it is
 */
export function leastByPattern(
  cost: (at: readonly number[]) => number,
  start: readonly number[],
): { readonly cost: number; readonly at: readonly number[] } {
  const at = [...start];
  let least = cost(at);
  for (let step = FIRST_STEP; step >= LEAST_STEP; ) {
    let better = false;
    for (let i = 0; i < at.length; i++) {
      const before = at[i] as number;
      for (const moved of [before + step, before - step]) {
        at[i] = moved;
        const found = cost(at);
        if (found < least - 1e-9) {
          [least, better] = [found, true];
          break;
        }
        at[i] = before;
      }
    }
    if (!better) step /= 2;
  }
  return { cost: least, at };
}

/** Judges ranges by their tail probabilities. */
class WidthJudge {
  private readonly sds: readonly number[];

  constructor(private readonly judge: ShareJudge) {
    this.sds = judge.mixtures.map((mixture) => mixture.moments().sd);
  }

  /** The limits at tail probabilities: lower and upper tail of each quantity. */
  private limits(tails: readonly number[]): ValueLimit[] {
    return this.judge.mixtures.map((mixture, i) => ({
      low: mixture.value(100 * (tails[2 * i] as number)),
      high: mixture.value(100 * (1 - (tails[2 * i + 1] as number))),
    }));
  }

  /** Sum of the widths in SD. */
  width(limits: readonly ValueLimit[]): number {
    return limits.reduce((sum, { low = 0, high = 0 }, i) => {
      return sum + (high - low) / (this.sds[i] as number);
    }, 0);
  }

  /**
   * The sum of widths of ranges that hold the asked share, with tail probabilities in given
   * proportions. The share outside is nearly proportional to the tails, so the search scales them
   * by the ratio of the two (as `designedTail` does).
   *
   * @param lnTails ln of lower and upper tail of each quantity, up to a common summand
   */
  widthAt(lnTails: readonly number[]): number {
    const proportions = lnTails.map(Math.exp);
    const most = Math.max(...proportions);
    let scale = (1 - WIDTH_SHARE) / proportions.reduce((sum, one) => sum + one, 0);
    let limits: ValueLimit[] = [];
    for (let round = 0; round < 20; round++) {
      limits = this.limits(proportions.map((proportion) => scale * proportion));
      const outside = 1 - this.judge.share(limits);
      if (Math.abs(outside - (1 - WIDTH_SHARE)) < 2e-6) break;
      scale = Math.min(0.49 / most, (scale * (1 - WIDTH_SHARE)) / outside);
    }
    return this.width(limits);
  }
}

/**
 * Compares the ranges of `design_ranges` with the narrowest ones that a search finds, for seeded designs
 * on people of the United States. All three sums of widths hold the same share of the people, counted
 * with the same lattice points: the ranges of `design_ranges` have their proportions of tails, all equal.
 * They must agree with `designRanges` itself.
 *
 * @throws Error where the ranges of `designRanges` differ by more than the numerical error
 */
export function scoreRangeWidths(us: UsPeople): RangeWidth[] {
  const { bodies } = us;
  const market = usMarket(us, DESIGN_AGES);
  const random = uniformNumbers(DESIGN_SEED);
  const people = keptPeople(bodies, market, []);
  return WIDTH_SIZES.flatMap((size) =>
    Array.from({ length: WIDTH_DESIGNS }, (): RangeWidth => {
      const names = drawNames(NAMES, size, random);
      const quantities = names.map((name) => bodies.indexOf(name));
      const judge = new WidthJudge(new ShareJudge(bodies, market, quantities, POINTS));
      const equal = quantities.map(() => 0);
      const perQuantity = (at: readonly number[]) => judge.widthAt(at.flatMap((x) => [x, x]));
      const free = (at: readonly number[]) => judge.widthAt(at);
      const { limits } = designRanges(
        people,
        quantities.map((quantity) => ({ quantity, side: 'both', dress: NUDE })),
        WIDTH_SHARE,
      );
      const designed = judge.width(limits.map(({ min, max }) => ({ low: min, high: max })));
      const equalTails = perQuantity(equal);
      if (Math.abs(designed / equalTails - 1) > 0.005) {
        throw new Error(`designed ranges of ${designed} SD in place of ${equalTails}`);
      }
      return {
        names,
        equalTails: designed,
        best: Math.min(equalTails, leastByPattern(perQuantity, equal).cost),
        bestFree: leastByPattern(
          free,
          equal.flatMap(() => [0, 0]),
        ).cost,
      };
    }),
  );
}

/** How much wider ranges are than the narrowest ones, as a share of these. */
export const excessOf = ({ equalTails, bestFree }: RangeWidth): number => equalTails / bestFree - 1;

/** The quantities of the design with the largest excess. */
function worstDesign(widths: readonly RangeWidth[]): string {
  const [worst] = [...widths].sort((a, b) => excessOf(b) - excessOf(a));
  return worst?.names.join(', ') ?? '';
}

function widthTable(widths: readonly RangeWidth[]): string {
  const excess = (of: readonly number[]): string[] => [mean(of), Math.max(...of)].map(percentTwo);
  return table(
    [
      ...['quantities', 'designs', 'sum of widths, SD', 'mean excess', 'worst'],
      ...['mean excess, tails equal within a quantity', 'worst'],
    ],
    groupBy(widths, ({ names }) => String(names.length)).map(([size, group]) => [
      ...[size, String(group.length)],
      two(mean(group.map(({ equalTails }) => equalTails))),
      ...excess(group.map(excessOf)),
      ...excess(group.map(({ equalTails, best }) => equalTails / best - 1)),
    ]),
  );
}

/** A share (0 to 1) in percent with two decimals. */
function percentTwo(value: number): string {
  return `${two(100 * Math.max(0, value))} %`;
}

/** What the study prints. */
export function widthSection(widths: readonly RangeWidth[]): string {
  return paragraphs([
    '# Designed ranges against the narrowest ones',
    `\`design_ranges\` gives every limited side the same tail probability. The table compares the sum of the widths, each in SD of its quantity, with the smallest sum that a pattern search from equal tails finds (Hooke and Jeeves 1961) among all ranges that hold the same ${percent(WIDTH_SHARE)} of the people. In the search every end of every range moves; it may end before the very smallest sum. The last two columns compare with a search in which both tails of a quantity stay equal. There are ${WIDTH_DESIGNS} seeded designs of 2, 3 and 4 free quantities, limited on both sides, for men and women of 20 to 64 years together.`,
    widthTable(widths),
    `The worst design has ${worstDesign(widths)}. Breadths of hips are skewed, and the same people have large ones. A limit on the long side saves more width for each person it excludes; so the narrowest ranges exclude many more large people than small ones. Equal tails treat both alike, which is what the operation promises.`,
  ]);
}

import { Boxes } from './boxes.js';
import { clusterCentres } from './cluster-centres.js';
import { GreedyChoice } from './greedy-choice.js';
import {
  fullestWindow,
  type PlacedPeople,
  type RankedPeople,
  type Ranking,
  ROUNDING,
  rankedPeople,
} from './placed-people.js';

/** A row without gaps is taken where it serves at least this share of the people of the best places. */
const ROW_SHARE = 0.995;

/**
 * Places boxes of width 1 so that most people are in a box (maximum coverage; Church and ReVelle 1974,
 * Papers of the Regional Science Association 32:101). Two starts are improved, and the better is taken:
 * the greedy choice, which is near the best (Nemhauser, Wolsey and Fisher 1978, Math. Programming
 * 14:265), and cluster centres (Lloyd 1982, IEEE Trans. Inf. Theory 28:129). In one dimension, boxes side
 * by side are preferred to boxes with gaps that serve hardly more.
 *
 * The time grows with people × boxes × dimensions. It does not depend on how many people fit a box. What
 * does not depend on the number of boxes is computed once.
 */
export class SizePlacer {
  private readonly people: RankedPeople;
  private readonly greedy: GreedyChoice;

  constructor(people: PlacedPeople) {
    this.people = rankedPeople(people);
    this.greedy = new GreedyChoice(this.people);
  }

  /**
   * @param count number of boxes
   * @returns centres, [box][dimension]
   */
  place(count: number): Float64Array {
    const { people } = this;
    let best: Float64Array = new Float64Array(0);
    let most = -1;
    for (const start of [clusterCentres(people, count), this.greedy.centres(count)]) {
      const boxes = new Boxes(people, start);
      const served = boxes.improve();
      if (served > most + ROUNDING) [best, most] = [boxes.centres, served];
    }
    if (people.columns.length > 1 || most > 1 - ROUNDING) return best;
    const row = rowCentres(people, count);
    return new Boxes(people, row).served() >= ROW_SHARE * most ? row : best;
  }
}

/** Boxes side by side in one dimension, where they serve most people; none is centred where nobody is. */
function rowCentres({ rankings, weights }: RankedPeople, count: number): Float64Array {
  const [{ order, places }] = rankings as readonly [Ranking];
  const shares = Float64Array.from(order, (i) => weights[i]);
  const { from, to } = fullestWindow(places, shares, order.length, count);
  return Float64Array.from({ length: count }, (_, s) =>
    Math.min(to, Math.max(from, (from + to - count) / 2 + s + 0.5)),
  );
}

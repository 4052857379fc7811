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

/** A row without gaps is preferred if it serves at least this share of the people whom the best places serve. */
const ROW_SHARE = 0.995;

/**
 * Places boxes of width 1 so that as many people as possible are in a box (maximum coverage; Church and ReVelle 1974,
 * Papers of the Regional Science Association 32:101). Two starts are improved, and the better result is taken. One is
 * the greedy choice, which is near the best (Nemhauser, Wolsey and Fisher 1978, Math. Programming 14:265). The other is
 * cluster centres (Lloyd 1982, IEEE Trans. Inf. Theory 28:129). In one dimension, boxes side by side are preferred to
 * boxes with gaps that serve hardly more people.
 *
 * The time grows with people × boxes × dimensions. It does not depend on how many people fit a box. Data that do not
 * depend on the number of boxes are computed once.
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

/**
 * Boxes side by side in one dimension, at the place where they serve the most people. No box is centred where there are
 * no people.
 */
function rowCentres({ rankings, weights }: RankedPeople, count: number): Float64Array {
  const [{ order, places }] = rankings as readonly [Ranking];
  const shares = Float64Array.from(order, (i) => weights[i]);
  const { from, to } = fullestWindow(places, shares, order.length, count);
  return Float64Array.from({ length: count }, (_, s) =>
    Math.min(to, Math.max(from, (from + to - count) / 2 + s + 0.5)),
  );
}

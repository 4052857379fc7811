import { noPeople, type RankedPeople, ROUNDING, withWeights } from './placed-people.js';

/** People whose places are tried as centres. */
const CANDIDATES = 1024;

/**
 * Repeatedly takes the box of width 1 that serves the most people who are not served yet. The candidates are boxes
 * around some of the people. The members of a box are stored as bits, so that only they are visited.
 */
export class GreedyChoice {
  private readonly step: number;
  /** The people in the box around each candidate. */
  private readonly held: readonly Int32Array[];
  /** For each candidate's box, the share of people whom it would serve and who are not served yet. */
  private readonly gains: Float64Array;
  /** The people not yet served. */
  private readonly open: Int32Array;
  /** Candidates around whom the boxes taken so far are. */
  private readonly taken: number[] = [];

  constructor(private readonly people: RankedPeople) {
    const n = people.weights.length;
    this.step = Math.max(1, Math.floor(n / CANDIDATES));
    this.open = noPeople(people).fill(-1);
    this.held = Array.from({ length: Math.ceil(n / this.step) }, () => this.open.slice());
    for (let d = 0; d < people.columns.length; d++) this.leaveOut(d);
    this.gains = Float64Array.from(this.held, (held) => withWeights(0, 1, people, held));
  }

  /** Centres of the first boxes, [box][dimension]. */
  centres(count: number): Float64Array {
    while (this.taken.length < count) this.take();
    const { columns } = this.people;
    const people = this.taken.slice(0, count).map((candidate) => candidate * this.step);
    return Float64Array.from(people.flatMap((i) => columns.map((column) => column[i])));
  }

  /** Removes from each box the people who are outside it in a dimension. */
  private leaveOut(d: number): void {
    const { step, held, people } = this;
    const { order = new Int32Array(0), places = new Float64Array(0) } = people.rankings[d] ?? {};
    const near = noPeople(people);
    const flip = (rank: number): void => {
      const i = order[rank];
      near[i >>> 5] = near[i >>> 5] ^ (1 << (i & 31));
    };
    // The centres are in ascending order, so each person enters and leaves at most once.
    let first = 0;
    let end = 0;
    for (let rank = 0; rank < order.length; rank++) {
      const i = order[rank];
      if (i % step !== 0) continue;
      const centre = places[rank];
      while (end < order.length && places[end] - centre <= 0.5) flip(end++);
      while (centre - places[first] > 0.5) flip(first++);
      intersect(held[i / step], near);
    }
  }

  /** Takes one more box. */
  private take(): void {
    const { people, held, gains, open, taken } = this;
    let best = taken.length % held.length;
    let most = ROUNDING;
    for (let c = 0; c < gains.length; c++) {
      const gain = gains[c];
      if (gain <= most + ROUNDING) continue;
      best = c;
      most = gain;
    }
    taken.push(best);
    const served = held[best].slice();
    intersect(served, open);
    for (let word = 0; word < open.length; word++) {
      open[word] = open[word] & ~served[word];
    }
    const lost = noPeople(people);
    for (let c = 0; c < gains.length; c++) {
      lost.set(held[c]);
      intersect(lost, served);
      gains[c] = withWeights(gains[c], -1, people, lost);
    }
  }
}

/** Keeps in a set only the people who are also in another set. */
function intersect(set: Int32Array, other: Int32Array): void {
  for (let word = 0; word < set.length; word++) {
    set[word] = set[word] & other[word];
  }
}

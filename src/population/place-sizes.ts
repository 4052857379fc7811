/** Rounds of improvement at most; a few suffice. */
const ROUNDS_MAX = 40;
/** People whose places are tried as centres by the greedy choice. */
const CANDIDATES = 1024;
/** Rounds of Lloyd's algorithm. */
const LLOYD_ROUNDS = 30;
/** A row without gaps is taken where it serves at least this share of the people of the best places. */
const ROW_SHARE = 0.995;
/** Common moves of all sizes that are tried, in widths. */
const COMMON_MOVES = [0.5, -0.5, 0.25, -0.25, 0.125, -0.125, 0.0625, -0.0625];

/**
 * Places boxes of width 1 so that most people are in a box (maximum coverage; Church and ReVelle 1974,
 * Papers of the Regional Science Association 32:101). Two starts are improved, and the better is taken:
 * the greedy choice, which is near the best (Nemhauser, Wolsey and Fisher 1978, Math. Programming
 * 14:265), and cluster centres (Lloyd 1982, IEEE Trans. Inf. Theory 28:129). In one dimension, boxes side
 * by side are preferred to boxes with gaps that serve hardly more.
 *
 * @param people places of people, [person][dimension], in widths of a box
 * @param k number of dimensions
 * @param count number of boxes
 * @returns centres, [box][dimension]
 */
export function placeSizes(people: Float64Array, k: number, count: number): Float64Array {
  const starts = [clusterCentres(people, k, count), greedyCentres(people, k, count)];
  let best: Float64Array = new Float64Array(0);
  let most = -1;
  for (const start of starts) {
    const served = improve(people, k, start);
    if (served > most) [best, most] = [start, served];
  }
  if (k > 1 || most === people.length) return best;
  const row = rowCentres(people, count);
  return countServed(people, 1, row) >= ROW_SHARE * most ? row : best;
}

/** Boxes side by side in one dimension, where they serve most people. */
function rowCentres(people: Float64Array, count: number): Float64Array {
  const sorted = people.slice().sort();
  let [first, most, from] = [0, 0, 0];
  sorted.forEach((place, last) => {
    while (place - (sorted[first] as number) > count) first++;
    if (last - first + 1 <= most) return;
    most = last - first + 1;
    from = ((sorted[first] as number) + place - count) / 2;
  });
  return Float64Array.from({ length: count }, (_, s) => from + s + 0.5);
}

function isInside(people: Float64Array, i: number, centres: Float64Array, s: number, k: number) {
  for (let d = 0; d < k; d++) {
    const distance = (people[i * k + d] as number) - (centres[s * k + d] as number);
    if (Math.abs(distance) > 0.5) return false;
  }
  return true;
}

/** For each person, the number of boxes around them. */
function coverage(people: Float64Array, k: number, centres: Float64Array): Int32Array {
  const covers = new Int32Array(people.length / k);
  for (let i = 0; i < covers.length; i++) {
    for (let s = 0; s * k < centres.length; s++) {
      if (isInside(people, i, centres, s, k)) covers[i] = (covers[i] as number) + 1;
    }
  }
  return covers;
}

function countServed(people: Float64Array, k: number, centres: Float64Array): number {
  return coverage(people, k, centres).reduce((sum, covers) => sum + (covers > 0 ? 1 : 0), 0);
}

/** Takes the box that serves most of those not yet served, again and again. */
function greedyCentres(people: Float64Array, k: number, count: number): Float64Array {
  const n = people.length / k;
  const step = Math.max(1, Math.floor(n / CANDIDATES));
  const candidates: { at: number; inside: number[] }[] = [];
  for (let at = 0; at < n; at += step) {
    const centre = people.subarray(at * k, (at + 1) * k);
    const inside: number[] = [];
    for (let i = 0; i < n; i++) if (isInside(people, i, centre, 0, k)) inside.push(i);
    candidates.push({ at, inside });
  }
  const served = new Uint8Array(n);
  const centres = new Float64Array(count * k);
  for (let s = 0; s < count; s++) {
    let [best, most] = [candidates[s % candidates.length], 0];
    for (const candidate of candidates) {
      const gain = candidate.inside.reduce((sum, i) => sum + 1 - (served[i] as number), 0);
      if (gain > most) [best, most] = [candidate, gain];
    }
    if (best === undefined) return centres;
    for (const i of best.inside) served[i] = 1;
    centres.set(people.subarray(best.at * k, (best.at + 1) * k), s * k);
  }
  return centres;
}

/** Means of clusters of people; each cluster is nearest to its mean. */
function clusterCentres(people: Float64Array, k: number, count: number): Float64Array {
  const n = people.length / k;
  // The first centres are people at even steps of the first dimension.
  const order = Array.from({ length: n }, (_, i) => i).sort(
    (a, b) => (people[a * k] as number) - (people[b * k] as number),
  );
  const centres = new Float64Array(count * k);
  for (let s = 0; s < count; s++) {
    const at = order[Math.floor(((s + 0.5) / count) * n)] ?? 0;
    centres.set(people.subarray(at * k, (at + 1) * k), s * k);
  }
  for (let round = 0; round < LLOYD_ROUNDS; round++) {
    const [sums, sizes] = [new Float64Array(count * k), new Float64Array(count)];
    for (let i = 0; i < n; i++) {
      const s = nearestCentre(people, i, centres, k);
      sizes[s] = (sizes[s] as number) + 1;
      for (let d = 0; d < k; d++) {
        sums[s * k + d] = (sums[s * k + d] as number) + (people[i * k + d] as number);
      }
    }
    for (let s = 0; s < count; s++) {
      if (sizes[s] === 0) continue;
      for (let d = 0; d < k; d++) {
        centres[s * k + d] = (sums[s * k + d] as number) / (sizes[s] as number);
      }
    }
  }
  return centres;
}

function nearestCentre(people: Float64Array, i: number, centres: Float64Array, k: number): number {
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (let s = 0; s * k < centres.length; s++) {
    let square = 0;
    for (let d = 0; d < k; d++) {
      square += ((people[i * k + d] as number) - (centres[s * k + d] as number)) ** 2;
    }
    if (square < least) [nearest, least] = [s, square];
  }
  return nearest;
}

/**
 * Moves centres in place while more people are served: each box in each dimension to the best place
 * given the others, and all boxes together along each dimension.
 *
 * @returns number of people served
 */
function improve(people: Float64Array, k: number, centres: Float64Array): number {
  let served = countServed(people, k, centres);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const covers = coverage(people, k, centres);
    for (let s = 0; s * k < centres.length; s++) {
      for (let d = 0; d < k; d++) slide(people, k, centres, s, d, covers);
    }
    for (let d = 0; d < k; d++) moveAll(people, k, centres, d);
    const now = countServed(people, k, centres);
    if (now <= served) return now;
    served = now;
  }
  return served;
}

/**
 * Slides one box along one dimension to where it serves most of the people whom no other box serves. The
 * box stays where no place is better.
 *
 * @param covers number of boxes around each person; it is kept up to date
 */
function slide(
  people: Float64Array,
  k: number,
  centres: Float64Array,
  s: number,
  d: number,
  covers: Int32Array,
): void {
  const at = s * k + d;
  const before = centres[at] as number;
  // Places in this dimension of the people whom the box alone could serve.
  const places: number[] = [];
  const strip: number[] = [];
  for (let i = 0; i < covers.length; i++) {
    const place = people[i * k + d] as number;
    centres[at] = place;
    if (!isInside(people, i, centres, s, k)) continue;
    strip.push(i);
    const here = Math.abs(place - before) <= 0.5 ? 1 : 0;
    if ((covers[i] as number) === here) places.push(place);
  }
  places.sort((a, b) => a - b);
  const now = places.filter((place) => Math.abs(place - before) <= 0.5).length;
  let [best, most] = [before, now];
  let first = 0;
  places.forEach((place, last) => {
    while (place - (places[first] as number) > 1) first++;
    if (last - first + 1 <= most) return;
    most = last - first + 1;
    best = ((places[first] as number) + place) / 2;
  });
  centres[at] = best;
  for (const i of strip) {
    const place = people[i * k + d] as number;
    const was = Math.abs(place - before) <= 0.5 ? 1 : 0;
    covers[i] = (covers[i] as number) - was + (Math.abs(place - best) <= 0.5 ? 1 : 0);
  }
}

/** Moves all boxes together along one dimension while more people are served. */
function moveAll(people: Float64Array, k: number, centres: Float64Array, d: number): void {
  const moved = (by: number) => centres.map((centre, i) => (i % k === d ? centre + by : centre));
  let served = countServed(people, k, centres);
  for (const by of COMMON_MOVES) {
    const there = moved(by);
    const now = countServed(people, k, there);
    if (now <= served) continue;
    centres.set(there);
    served = now;
  }
}

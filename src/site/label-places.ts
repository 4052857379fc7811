/** A text beside a dot. Places are in pixels, y downwards. */
interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

type Place = readonly [x: number, y: number];

/** A rectangle in pixels, y downwards. */
export type Box = readonly [left: number, right: number, top: number, bottom: number];

/** A rectangle in mm, y upwards, in pixels. */
export function boxInPx(
  [left, right, bottom, top]: readonly [number, number, number, number],
  mmPerPx: number,
): Box {
  return [left / mmPerPx, right / mmPerPx, -top / mmPerPx, -bottom / mmPerPx];
}

/** Approximate width of a bold character, height of a line, and half the size of a dot, in pixels. */
const [CHAR, LINE, DOT] = [8.4, 15, 9];

/** What a later place of `TRIED` costs, in square pixels that a label covers. A line through a label costs about 16. */
const LATER = 8;

/** What a place costs that is nearer to another dot, and each pixel between a label and its dot, square pixels. */
const [MISREAD, FAR] = [400, 10];

/** Where the base line of a label may be, from its dot. `beside` is in halves of its width. */
const TRIED = [
  { beside: 0, down: -12 },
  { beside: 1, down: 5 },
  { beside: -1, down: 5 },
  ...[23, -27, 38, -42, 53, -57].flatMap((down) => [0, 1, -1].map((beside) => ({ beside, down }))),
  ...[2, -2].flatMap((beside) => [5, 23, -27].map((down) => ({ beside, down }))),
];

/** Longest piece of a line that one box stands for, mm. */
const PIECE_MM = 40;

/** Boxes along a line, which labels should leave free: left, right, least and largest. */
export function boxesAlong(points: readonly Place[]): readonly Box[] {
  return points.slice(1).flatMap(([toX, toY], i) => {
    const [x, y] = points[i] as Place;
    const count = Math.ceil(Math.hypot(toX - x, toY - y) / PIECE_MM);
    const [dx, dy] = [(toX - x) / count, (toY - y) / count];
    return Array.from({ length: count }, (_, part): Box => {
      const [left, least] = [x + part * dx + Math.min(0, dx), y + part * dy + Math.min(0, dy)];
      return [left, left + Math.abs(dx), least, least + Math.abs(dy)];
    });
  });
}

/** From a box to a dot, pixels. */
function apart([l, r, t, b]: Box, { x, y }: Pick<Label, 'x' | 'y'>): number {
  return Math.hypot(Math.max(l - x, 0, x - r), Math.max(t - y, 0, y - b));
}

/** Square pixels of boxes that a box covers. A line has the width of a pixel. */
export function coveredBy([l, r, t, b]: Box, boxes: readonly Box[]): number {
  return boxes.reduce((sum, [l2, r2, t2, b2]) => {
    const width = Math.min(r, r2) - Math.max(l, l2) + 1;
    const height = Math.min(b, b2) - Math.max(t, t2) + 1;
    return sum + Math.max(0, width) * Math.max(0, height);
  }, 0);
}

/**
 * Middles of the base lines of labels, so that no label covers another label, a dot or what must be free; undefined if
 * there is no room. Of the free places, a label takes the one that covers least of what should be free.
 *
 * @param isAlone whether no line leads to a label, so that only its place tells to which dot it belongs
 */
export function labelPlaces(
  labels: readonly Label[],
  inside: Box,
  free: readonly Box[] = [],
  avoided: readonly Box[] = [],
  isAlone = false,
): readonly (Place | undefined)[] {
  const [left, right, top, bottom] = inside;
  const taken: Box[] = [
    ...free,
    ...labels.map(({ x, y }): Box => [x - DOT, x + DOT, y - DOT, y + DOT]),
  ];
  const placed = labels.map(({ text, x, y }) => {
    const half = (text.length * CHAR) / 2;
    const boxOf = ([at, base]: Place): Box => [at - half, at + half, base - LINE + 3, base + 3];
    const isFree = (place: Place) => {
      const [l, r, t, b] = boxOf(place);
      const isInside = t >= top && b <= bottom;
      return (
        isInside && taken.every(([l2, r2, t2, b2]) => r <= l2 || r2 <= l || b <= t2 || b2 <= t)
      );
    };
    const places = TRIED.map(({ beside, down }): Place => {
      const at = x + beside * (half + DOT + 2);
      return [Math.max(left + half, Math.min(right - half, at)), y + down];
    });
    /** Square pixels that a label covers of what should be free, and a little for a place that is tried later. */
    const cost = (place: Place) => {
      const covered = coveredBy(boxOf(place), avoided) + LATER * places.indexOf(place);
      if (!isAlone) return covered;
      const own = apart(boxOf(place), { x, y });
      const isOfAnother = labels.some((other) => apart(boxOf(place), other) < own);
      return covered + FAR * own + (isOfAnother ? MISREAD : 0);
    };
    const rated = places.filter(isFree).map((one) => ({ one, cost: cost(one) }));
    const place = rated.toSorted((a, b) => a.cost - b.cost)[0]?.one;
    if (place !== undefined) taken.push(boxOf(place));
    return place;
  });
  // Lines to two labels cross if the other order is shorter. Labels of one length can change places.
  const farOf = (label: number, of: number) => {
    const [{ x, y }, place] = [labels[label] as Label, placed[of]];
    return place === undefined ? Number.NaN : Math.hypot(x - place[0], y - place[1]);
  };
  for (let one = 0; one < labels.length; one += 1) {
    for (let other = 0; other < one; other += 1) {
      const isOneLength = labels[one]?.text.length === labels[other]?.text.length;
      const known = farOf(one, one) + farOf(other, other);
      if (!isOneLength || !(farOf(one, other) + farOf(other, one) < known)) continue;
      [placed[one], placed[other]] = [placed[other], placed[one]];
    }
  }
  return placed;
}

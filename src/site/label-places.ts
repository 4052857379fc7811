/** A text beside a dot. Places are in pixels, y downwards. */
interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

type Place = readonly [x: number, y: number];

/** A rectangle in pixels, y downwards. */
type Box = readonly [left: number, right: number, top: number, bottom: number];

/** A rectangle in mm, y upwards, in pixels. */
export function boxInPx(
  [left, right, bottom, top]: readonly [number, number, number, number],
  mmPerPx: number,
): Box {
  return [left / mmPerPx, right / mmPerPx, -top / mmPerPx, -bottom / mmPerPx];
}

/** Approximate width of a bold character, height of a line, and half the size of a dot, in pixels. */
const [CHAR, LINE, DOT] = [8.4, 15, 9];

/** Where the base line of a label may be, from its dot. `beside` is in halves of its width. */
const TRIED = [
  { beside: 0, down: -12 },
  { beside: 1, down: 5 },
  { beside: -1, down: 5 },
  ...[23, -27, 38, -42, 53, -57].flatMap((down) => [0, 1, -1].map((beside) => ({ beside, down }))),
];

/**
 * Middles of the base lines of labels, so that no label covers another label, a dot or what must be free; undefined if
 * there is no room.
 */
export function labelPlaces(
  labels: readonly Label[],
  inside: Box,
  free: readonly Box[] = [],
): readonly (Place | undefined)[] {
  const [left, right, top, bottom] = inside;
  const taken: Box[] = [
    ...free,
    ...labels.map(({ x, y }): Box => [x - DOT, x + DOT, y - DOT, y + DOT]),
  ];
  return labels.map(({ text, x, y }) => {
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
    const place = places.find(isFree);
    if (place !== undefined) taken.push(boxOf(place));
    return place;
  });
}

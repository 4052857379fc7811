/** A text beside a dot. Places are in pixels, y downwards. */
interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Approximate width of a character, height of a line, and half the size of a dot, in pixels. */
const [CHAR, LINE, DOT] = [6.7, 14, 8];

/** Where the base line of a label may be, from its dot. `beside` is in halves of its width. */
const TRIED = [
  { beside: 0, down: -11 },
  { beside: 0, down: 21 },
  { beside: 1, down: 4 },
  { beside: -1, down: 4 },
  { beside: 0, down: -26 },
  { beside: 0, down: 36 },
  { beside: 0, down: -41 },
] as const;

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Middles of the base lines of labels, so that no label covers another label or a dot; undefined if there is no room. */
export function labelPlaces(
  labels: readonly Label[],
  [left, right]: readonly [number, number],
): readonly (readonly [x: number, y: number] | undefined)[] {
  const taken: Box[] = labels.map(({ x, y }) => [x - DOT, y - DOT, x + DOT, y + DOT]);
  return labels.map(({ text, x, y }, own) => {
    const half = (text.length * CHAR) / 2;
    const places = TRIED.map(({ beside, down }) => {
      const at = x + beside * (half + DOT + 2);
      return [Math.max(left + half, Math.min(right - half, at)), y + down] as const;
    });
    const boxOf = ([at, base]: readonly [number, number]): Box => [
      ...([at - half, base - LINE + 3, at + half, base + 3] as const),
    ];
    const isFree = (place: readonly [number, number]) => {
      const [l, t, r, b] = boxOf(place);
      return taken.every(
        ([l2, t2, r2, b2], i) => i === own || r < l2 || r2 < l || b < t2 || b2 < t,
      );
    };
    const place = places.find(isFree);
    if (place !== undefined) taken.push(boxOf(place));
    return place;
  });
}

/** A label around a point, px. */
export interface LabelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Free space between two labels, px. */
const GAP_PX = 2;

/**
 * Positions of labels that do not cover each other. Each label is inside the picture, and above or below its
 * point, as near as possible.
 *
 * @returns the centre of each label in px, in the order of the labels
 */
export function placeLabels(
  labels: readonly LabelBox[],
  picture: { readonly width: number; readonly height: number },
): readonly { readonly x: number; readonly y: number }[] {
  const placed: LabelBox[] = [];
  const inside = ({ x, y, width, height }: LabelBox): LabelBox => ({
    x: within(x, width / 2, picture.width - width / 2),
    y: within(y, height / 2, picture.height - height / 2),
    width,
    height,
  });
  const order = labels.map((label, index) => ({ label: inside(label), index }));
  order.sort((one, other) => one.label.y - other.label.y || one.index - other.index);
  const found = new Map<number, LabelBox>();
  for (const { label, index } of order) {
    // The nearest free position is either the label's own position, or one where the label touches another
    // label.
    const heights = placed.flatMap(({ y, height }) => {
      const apart = (height + label.height) / 2 + GAP_PX;
      return [y - apart, y + apart];
    });
    const free = [label.y, ...heights]
      .map((y) => ({ ...label, y }))
      .filter((one) => inside(one).y === one.y && !placed.some((other) => overlap(one, other)))
      .sort((one, other) => Math.abs(one.y - label.y) - Math.abs(other.y - label.y));
    const place = free[0] ?? label;
    placed.push(place);
    found.set(index, place);
  }
  return labels.map((label, index) => {
    const { x, y } = found.get(index) ?? label;
    return { x, y };
  });
}

function overlap(one: LabelBox, other: LabelBox): boolean {
  return (
    Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
    Math.abs(one.y - other.y) < (one.height + other.height) / 2
  );
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, Math.max(least, most)));
}

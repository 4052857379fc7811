/** Distance between the lines of a grid, mm. */
export const GRID_MM = 100;

/** The places of the lines of a grid between two ends, mm. */
export function gridSteps(from: number, to: number): readonly number[] {
  const first = Math.ceil(from / GRID_MM) * GRID_MM;
  const count = Math.floor((to - first) / GRID_MM) + 1;
  return Array.from({ length: count }, (_, i) => first + i * GRID_MM);
}

/** SVG path of a grid over a box in mm, whose y is upwards. */
export function gridPath(
  box: readonly [left: number, right: number, bottom: number, top: number],
): string {
  const [left, right, bottom, top] = box;
  const across = gridSteps(left, right).map((x) => `M${x} ${-top}V${-bottom}`);
  return [...across, ...gridSteps(bottom, top).map((y) => `M${left} ${-y}H${right}`)].join('');
}

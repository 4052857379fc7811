/**
 * Points on the curves of an SVG path with the commands M, c, L and z. Each line of the path, closed or open, gives one
 * list.
 */
export function pointsOfPath(d: string, steps = 8): { x: number; y: number }[][] {
  const lines: { x: number; y: number }[][] = [];
  let [x, y] = [0, 0];
  for (const [, command = '', text = ''] of d.matchAll(/([McLzZ])([^McLzZ]*)/g)) {
    const numbers = [...text.matchAll(/-?(?:\d+\.?\d*|\.\d+)/g)].map(([number]) => Number(number));
    if (command === 'M') {
      [x, y] = [numbers[0] ?? 0, numbers[1] ?? 0];
      lines.push([{ x, y: -y }]);
    } else if (command === 'L') {
      [x, y] = [numbers[0] ?? 0, numbers[1] ?? 0];
      lines.at(-1)?.push({ x, y: -y });
    } else if (command === 'c') {
      for (let i = 0; i + 5 < numbers.length; i += 6) {
        const [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0] = numbers.slice(i, i + 6);
        for (let k = 1; k <= steps; k++) {
          const t = k / steps;
          const [b1, b2, b3] = [3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t ** 3];
          lines
            .at(-1)
            ?.push({ x: x + b1 * ax + b2 * bx + b3 * cx, y: -(y + b1 * ay + b2 * by + b3 * cy) });
        }
        [x, y] = [x + cx, y + cy];
      }
    }
  }
  return lines;
}

/** Left, right, bottom and top of the curves of a path. */
export function boxOfPath(d: string): [number, number, number, number] {
  const points = pointsOfPath(d).flat();
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
}

/** Columns along the longest side of a body. The share of overlap is then right to about 0.0002. */
const COLUMNS = 180;
/** The grid begins this part of a cell outside the body, so that no column meets the middle plane or an edge. */
const OFFSET = 0.317;

/**
 * The share of the space inside a surface that the surface encloses more than once. Columns along z cut the surface:
 * at each cut the number of surfaces around a place rises or falls by 1.
 */
export function overlapOf(vertices: ArrayLike<number>, triangles: ArrayLike<number>): number {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < triangles.length; i++) {
    const x = vertices[3 * triangles[i]];
    const y = vertices[3 * triangles[i] + 1];
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < low) low = y;
    if (y > high) high = y;
  }
  const cell = Math.max(right - left, high - low) / COLUMNS;
  const columns = Math.ceil((right - left) / cell) + 1;
  const rows = Math.ceil((high - low) / cell) + 1;
  left -= OFFSET * cell;
  low -= OFFSET * cell;
  // The cuts of a column are a list by rising z. `first` and `next` are numbers of cuts; a cut out of the surface has
  // an even code, a cut into it an odd one.
  const depths: number[] = [];
  const next: number[] = [];
  const first = new Int32Array(columns * rows).fill(-1);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = (vertices[a] - left) / cell;
    const ay = (vertices[a + 1] - low) / cell;
    const bx = (vertices[b] - left) / cell;
    const by = (vertices[b + 1] - low) / cell;
    const cx = (vertices[c] - left) / cell;
    const cy = (vertices[c + 1] - low) / cell;
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area === 0) continue;
    const toX = Math.max(ax, bx, cx);
    const toY = Math.max(ay, by, cy);
    for (let y = Math.ceil(Math.min(ay, by, cy)); y <= toY; y++) {
      for (let x = Math.ceil(Math.min(ax, bx, cx)); x <= toX; x++) {
        const wa = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area;
        const wb = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area;
        const wc = 1 - wa - wb;
        if (wa < 0 || wb < 0 || wc < 0) continue;
        const z = wa * vertices[a + 2] + wb * vertices[b + 2] + wc * vertices[c + 2];
        const column = y * columns + x;
        let before = -1;
        let after = first[column];
        while (after >= 0 && depths[after >> 1] < z) {
          before = after;
          after = next[after >> 1];
        }
        const code = 2 * depths.length + (area > 0 ? 0 : 1);
        if (before < 0) first[column] = code;
        else next[before >> 1] = code;
        depths.push(z);
        next.push(after);
      }
    }
  }
  let [once, more] = [0, 0];
  for (const start of first) {
    let around = 0;
    let from = 0;
    for (let code = start; code >= 0; code = next[code >> 1]) {
      const z = depths[code >> 1];
      if (around > 0) once += z - from;
      if (around > 1) more += z - from;
      from = z;
      around += (code & 1) === 1 ? 1 : -1;
    }
  }
  return more / once;
}

/** Displacements by coordinate. The entries of coordinate i are from `start[i]` to `start[i + 1]`. */
export interface SparseRows {
  readonly start: Uint32Array;
  /** Mode of each entry. */
  readonly column: Uint8Array;
  /** Displacement of each entry for a weight of 1, mm. */
  readonly value: Float32Array;
}

/** Points that a mode moves, and x, y, z of the displacement of each, mm for one unit of the weight. */
export interface Mode {
  readonly points: Uint16Array;
  readonly moves: Float32Array | Float64Array;
}

/**
 * Displacements of modes by coordinate.
 *
 * @param length number of coordinates of all points
 * @param leastMm smaller displacements are dropped
 */
export function sparseRows(modes: readonly Mode[], length: number, leastMm: number): SparseRows {
  const start = new Uint32Array(length + 1);
  for (const { points, moves } of modes) {
    for (let i = 0; i < moves.length; i++) {
      if (Math.abs(moves[i]) < leastMm) continue;
      const row = 3 * points[(i / 3) | 0] + (i % 3);
      start[row + 1] += 1;
    }
  }
  for (let i = 0; i < length; i++) start[i + 1] += start[i];
  const next = start.slice(0, length);
  const column = new Uint8Array(start[length]);
  const value = new Float32Array(start[length]);
  modes.forEach(({ points, moves }, k) => {
    for (let i = 0; i < moves.length; i++) {
      const mm = moves[i];
      if (Math.abs(mm) < leastMm) continue;
      const row = 3 * points[(i / 3) | 0] + (i % 3);
      const at = next[row];
      next[row] = at + 1;
      column[at] = k;
      value[at] = mm;
    }
  });
  return { start, column, value };
}

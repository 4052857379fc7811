/** Displacements by coordinate. The entries of coordinate i are from `start[i]` to `start[i + 1]`. */
export interface SparseRows {
  readonly start: Uint32Array;
  /** Mode of each entry. */
  readonly column: Uint8Array;
  /** Displacement of each entry for a weight of 1, mm. */
  readonly value: Float32Array;
}

/** A table with one number a row and everything about that number beside it. */
export interface Tidy {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The numbers of a picture as a table. */
export interface Table {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** A table. Each row has one number and everything that describes this number. */
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

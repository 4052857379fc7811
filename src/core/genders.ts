/** Genders of the specification (2.4). Artifacts use the index of a gender in this list. */
export const GENDERS = ['Male', 'Female'] as const;

/** `Male` or `Female`. */
export type Gender = (typeof GENDERS)[number];

/** A value for each gender. */
export type PerGender<T> = Readonly<Record<Gender, T>>;

/** Makes a value for each gender. */
export function perGender<T>(make: (gender: Gender) => T): PerGender<T> {
  return { Male: make('Male'), Female: make('Female') };
}

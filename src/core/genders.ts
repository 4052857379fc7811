/** Genders of the specification (2.4); the index is the gender's index in artifacts. */
export const GENDERS = ['Male', 'Female'] as const;

/** `Male` or `Female`. */
export type Gender = (typeof GENDERS)[number];

/** A value for each gender. */
export type PerGender<T> = Readonly<Record<Gender, T>>;

/** Makes a value for each gender. */
export function perGender<T>(make: (gender: Gender) => T): PerGender<T> {
  return { Male: make('Male'), Female: make('Female') };
}

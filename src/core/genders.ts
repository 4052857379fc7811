/** Genders of the specification (2.4); the index is the gender's index in artifacts. */
export const GENDERS = ['Male', 'Female'] as const;

/** `Male` or `Female`. */
export type Gender = (typeof GENDERS)[number];

/** Index of a gender in `GENDERS`. */
export function genderIndex(gender: Gender): number {
  return gender === 'Male' ? 0 : 1;
}

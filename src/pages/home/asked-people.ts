import type { ChosenPopulation } from '../../screens/shared/populations.js';

/** The people of the question on the first page. */
export interface AskedPeople extends Pick<ChosenPopulation, 'gender' | 'ageMin' | 'ageMax'> {
  /** In words, such as `women of 18 to 65`. */
  readonly words: string;
}

/** The people to choose from. The options of the form are indexes of this list, which the script reads. */
export const ASKED_PEOPLE: readonly AskedPeople[] = [
  { words: 'adults of 18 to 65', ageMin: 18, ageMax: 65 },
  { words: 'women of 18 to 65', gender: 'Female', ageMin: 18, ageMax: 65 },
  { words: 'men of 18 to 65', gender: 'Male', ageMin: 18, ageMax: 65 },
  { words: 'people of 65 to 90', ageMin: 65, ageMax: 90 },
  { words: 'teenagers of 12 to 17', ageMin: 12, ageMax: 17 },
  { words: 'children of 8', ageMin: 8, ageMax: 8 },
];

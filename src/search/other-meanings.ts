/** A dimension of public files that this service does not have. */
export interface OtherMeaning {
  /** Name for messages. */
  readonly name: string;
  /** A word of each row of `PARTS` that may mean it. */
  readonly parts: readonly string[];
  /** Whether it scales with √(mass/stature), as girths of a body of constant density do, or with stature. */
  readonly isGirth: boolean;
  /** Usual ratio to stature, or of a girth in mm to √(kg/m), and its standard deviation; of men, then of women. */
  readonly ratios: readonly (readonly [mean: number, sd: number])[];
}

/**
 * Dimensions that headings mean beside those of this service. The ratios are of 4,082 men and 1,986 women of ANSUR II
 * (Gordon et al. 2014); those of the elbow and the natural waist are of 1,774 men and 2,208 women of ANSUR (Gordon et al.
 * 1989). ANSUR II flexes the forearm: its mean (44.65 and 41.13) is averaged with that of 128 men in a public file whose
 * arms hang (42.8), and the spread covers both. The inside leg has the spread of the crotch height in ANSUR II, and the
 * mean of a public file of 200 people.
 */
export const OTHER_MEANINGS: readonly OtherMeaning[] = [
  girth('the girth of the forearm', ['forearm'], [43.7, 2.7], [40.3, 2.4]),
  girth('the girth of the ankle', ['ankle'], [33.06, 1.81], [33.64, 2.12]),
  girth('the girth of the elbow', ['elbow'], [41.59, 1.42], [38.74, 1.29]),
  girth('the girth of the natural waist', ['waist'], [125.83, 5.35], [117.77, 5.39]),
  girth('the girth of the flexed biceps', ['arm', 'upper arm'], [51.48, 2.69], [47.48, 2.29]),
  girth('the girth of the shoulders', ['shoulder'], [169.89, 7.1], [160.3, 6.89]),
  girth('the girth of the base of the neck', ['neck'], [62.64, 3], [57.88, 2.93]),
  line('the inside leg to the ankle', ['leg', 'inseam'], [0.456, 0.0141], [0.456, 0.0151]),
  line('the height of the kneecap', ['knee'], [0.278, 0.0092], [0.2756, 0.009]),
  line('the height of the iliac crest', ['hip', 'waist'], [0.6044, 0.0128], [0.6113, 0.0129]),
  line('the breadth of the iliac crests', ['hip'], [0.1569, 0.0086], [0.1679, 0.0127]),
  line('the breadth of the ankle', ['ankle'], [0.0426, 0.0021], [0.0412, 0.0019]),
  line('the length of the shoulder', ['shoulder'], [0.0853, 0.0055], [0.0832, 0.0059]),
  line('the sleeve from the spine', ['sleeve', 'arm'], [0.5102, 0.0148], [0.4954, 0.0139]),
  line('the distance between the pupils', ['eye'], [0.0365, 0.0022], [0.0379, 0.0024]),
];

function girth(name: string, parts: readonly string[], ...ratios: OtherMeaning['ratios']) {
  return { name, parts, isGirth: true, ratios };
}

function line(name: string, parts: readonly string[], ...ratios: OtherMeaning['ratios']) {
  return { name, parts, isGirth: false, ratios };
}

// The two quantities of the whole body. They are not dimensions, so the search for measurements does not find them.
// Only some operations accept them.
// cspell:ignore gewicht poids

/** A quantity of the whole body. */
export interface BodyQuantity {
  readonly name: string;
  readonly definition: string;
}

const QUANTITIES: readonly (BodyQuantity & { readonly words: RegExp })[] = [
  {
    name: 'BodyMass',
    definition: 'Mass of the nude body, in kg or lb',
    words:
      /\b(body ?mass|mass(?! index)|weighs?|weight|heavy|heaviest|bariatric\w*|\d+ ?kg|gewicht|poids|peso)\b/,
  },
  {
    name: 'BMI',
    definition: 'Body mass index: mass over the square of stature, in kg/m²',
    words: /\b(bmi|body ?mass ?index|obes\w*|overweight|underweight|bariatric\w*)\b/,
  },
];

/** Finds the quantities that everyday words mean, such as "weight" or "body mass index". */
export function findBodyQuantities(text: string): readonly BodyQuantity[] {
  const wanted = text.toLowerCase();
  return QUANTITIES.filter(({ words }) => words.test(wanted)).map(({ name, definition }) => ({
    name,
    definition,
  }));
}

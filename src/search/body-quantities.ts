import { wordsOf } from './terms.js';

// The two quantities of the whole body. They are not dimensions, so the search for measurements does not find them.
// Only some operations accept them.

/** A quantity of the whole body, such as body mass. */
export interface BodyQuantity {
  readonly name: string;
  readonly definition: string;
}

// cspell:disable
const QUANTITIES: readonly (BodyQuantity & { readonly words: string; readonly about: RegExp })[] = [
  {
    name: 'BodyMass',
    definition: 'Mass of the nude body, in kg or lb',
    words: `weight, body weight, bodyweight, mass, body mass, bodymass, weigh, weighs, gewicht, körpergewicht, masse,
      körpermasse, poids, poids du corps, masse corporelle, peso, peso corporal, masa, masa corporal, massa, massa
      corporal, peso corporeo, massa corporea, lichaamsgewicht, waga, masa ciała, waga ciała, kilo, ağırlık, vücut
      ağırlığı, вес, масса, вес тела, масса тела, 体重, 體重, 체중, 몸무게, वजन, الوزن, وزن, berat badan, berat, cân nặng, ওজন,
      బరువు, எடை, uzito, timbang, น้ำหนัก, ਭਾਰ, भार`,
    about: /\b(heavy|heaviest|bariatric\w*|\d+ ?kg)\b/,
  },
  {
    name: 'BMI',
    definition: 'Body mass index: mass over the square of stature, in kg/m²',
    words: 'bmi, body mass index, bodymassindex',
    about: /\b(obes\w*|overweight|underweight|bariatric\w*)\b/,
  },
];
// cspell:enable

const WORDS_OF = QUANTITIES.map(({ name, definition, words, about }) => ({
  quantity: { name, definition },
  words: new Set(words.split(/,\s+/).map(wordsOf)),
  about,
}));

/** The words of both quantities. */
export const QUANTITY_WORDS: readonly string[] = WORDS_OF.flatMap(({ words }) => [...words]);

/** `BodyMass` or `BMI` if a whole text names it, in any language of the search. */
export function bodyQuantityNamed(text: string): string | undefined {
  const named = wordsOf(text);
  return WORDS_OF.find(({ words }) => words.has(named))?.quantity.name;
}

/** Finds the quantities that everyday words mean, such as "weight" or "body mass index". */
export function findBodyQuantities(text: string): readonly BodyQuantity[] {
  const wanted = ` ${wordsOf(text)} `;
  // Chinese and Japanese have no spaces between words.
  const has = (word: string) => wanted.includes(/\p{Script=Han}/u.test(word) ? word : ` ${word} `);
  return WORDS_OF.filter(({ words, about }) => about.test(wanted) || [...words].some(has)).map(
    ({ quantity }) => quantity,
  );
}

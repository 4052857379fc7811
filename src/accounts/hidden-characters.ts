/** Characters that a reader does not see, or that change the order of the others (UAX 9, UAX 44). */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Joiners between two characters: Persian, Indic scripts and emoji are written with them. */
const JOINERS = /(?<=[\p{L}\p{M}\p{S}])[\u200c\u200d](?=[\p{L}\p{M}\p{S}])/gu;
/** Selectors of a variant of the character before them: names in Japanese and emoji have them. */
const VARIANTS = /(?<=[\p{L}\p{N}\p{S}\p{P}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/**
 * Whether a text has control characters, or characters that make it look like another text: marks
 * of the writing direction, invisible characters, line breaks, and halves of characters.
 */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text.replace(JOINERS, '').replace(VARIANTS, ''));
}

import type { Gender } from '../../core/genders.js';
import { parseLength, parseMass } from '../../core/typed-values.js';
import { formatLength, type ShownUnit } from '../../site/lengths.js';
import { shortened } from '../shared/address-fields.js';

/** A person whom the visitor knows. */
export interface KnownPerson {
  readonly name?: string | undefined;
  /** Stature without shoes, mm. */
  readonly statureMm: number;
  readonly gender?: Gender | undefined;
  /** Completed years. */
  readonly ageYears?: number | undefined;
  readonly massKg?: number | undefined;
}

/** Range of statures of one person, mm: from a new-born to the tallest person. */
export const STATURE_RANGE_MM = { min: 450, max: 2300 } as const;
/** Maximum number of named people. */
export const KNOWN_MAX = 8;
const AGE_MAX = 100;
const MASS_MAX_KG = 400;

const GENDER_WORDS: ReadonlyMap<string, Gender> = new Map([
  ...['woman', 'female', 'girl', 'f', 'w'].map((word) => [word, 'Female'] as const),
  ...['man', 'male', 'boy', 'm'].map((word) => [word, 'Male'] as const),
]);

/** The people of a typed text, or a sentence about what is wrong with it. */
export type ReadPeople = { readonly people: readonly KnownPerson[] } | { readonly fault: string };

/**
 * Reads people that somebody typed, such as `Ann 1.58 m woman 45; Ben 1.93 m 90 kg`. Semicolons, or commas before a
 * space, separate them. Of each person, the text has the stature, and may have a name, gender, completed age and mass.
 */
export function readPeople(text: string, unit: ShownUnit): ReadPeople {
  const parts = text.split(/;|,\s+|\n/).filter((part) => part.trim() !== '');
  if (parts.length > KNOWN_MAX) {
    return { fault: `Name at most ${KNOWN_MAX} people; the text has ${parts.length}.` };
  }
  const people: KnownPerson[] = [];
  for (const part of parts) {
    const found = readPerson(part, unit);
    if (typeof found === 'string') return { fault: found };
    people.push(found);
  }
  return { people };
}

/** Words after an age. */
const AGE_WORDS = /^(?:years?|yrs?|y|yo|old)$/i;

/** Numbers with their units, and single words. */
const TOKEN =
  /\d+\s*(?:'|′|’|ft)\s*\d*\.?\d*\s*(?:"|″|in)?|\d[\d.,]*\s*(?:mm|cm|m|in|kg|lbs?)?(?!\p{L})|\S+/giu;

function readPerson(text: string, unit: ShownUnit): KnownPerson | string {
  let statureMm: number | undefined;
  const person: { -readonly [Key in keyof KnownPerson]?: KnownPerson[Key] } = {};
  const words: string[] = [];
  for (const [raw] of text.matchAll(TOKEN)) {
    const token = raw.trim();
    const gender = GENDER_WORDS.get(token.toLowerCase());
    if (!/^\d/.test(token)) {
      if (gender !== undefined) person.gender = gender;
      else if (!AGE_WORDS.test(token)) words.push(token);
    } else if (/(?:kg|lbs?)$/i.test(token)) {
      person.massKg = parseMass(token, 'kg');
    } else if (statureMm === undefined) {
      const mm = statureOf(token, unit);
      if (typeof mm === 'string') return mm;
      statureMm = mm;
    } else {
      person.ageYears = Number(token);
    }
  }
  const { ageYears, massKg } = person;
  const { min, max } = STATURE_RANGE_MM;
  const range = `from ${formatLength(min, unit)} to ${formatLength(max, unit)}`;
  if (statureMm === undefined) {
    return `“${text.trim()}” has no stature. Add one, such as ${formatLength(1700, unit)}.`;
  }
  if (statureMm < min || statureMm > max) return `Enter a stature ${range}, not “${text.trim()}”.`;
  if (ageYears !== undefined && !(Number.isInteger(ageYears) && ageYears <= AGE_MAX)) {
    return `Enter an age in whole years, up to ${AGE_MAX}, not “${text.trim()}”.`;
  }
  if ('massKg' in person && !(massKg !== undefined && massKg > 0 && massKg <= MASS_MAX_KG)) {
    return `Enter a mass in kg or lb, not “${text.trim()}”.`;
  }
  const strange = words.find((word) => !/\p{L}/u.test(word) || /^(?:st|stones?)$/i.test(word));
  if (strange !== undefined) {
    return `“${strange}” in “${text.trim()}” is no name. Write a mass in kg or lb.`;
  }
  const name = shortened(words.join(' '), 30);
  return { ...person, statureMm: Math.round(statureMm), ...(name === '' ? {} : { name }) };
}

/** A stature in mm. A number without a unit that is no stature in the unit of the page is in metres or cm. */
function statureOf(token: string, unit: ShownUnit): number | string {
  const number = Number(token.replace(',', '.'));
  if (number >= 3 && number < 9) {
    return `Is ${token} a stature in feet? Then write 5 ft 11 in or 5'11".`;
  }
  const inUnit = parseLength(token, unit);
  if (inUnit !== undefined && inUnit >= STATURE_RANGE_MM.min) return inUnit;
  if (number < 3) return number * 1000;
  // Smaller numbers are rather ages.
  if (number >= 100 && number <= 250) return number * 10;
  return inUnit ?? `“${token}” is no stature. Enter one, such as ${formatLength(1700, unit)}.`;
}

/** The text of people, which `readPeople` reads. */
export function peopleText(people: readonly KnownPerson[], unit: ShownUnit): string {
  return people
    .map(({ name, statureMm, gender, ageYears, massKg }) =>
      [
        name,
        formatLength(statureMm, unit),
        gender === undefined ? undefined : gender === 'Female' ? 'woman' : 'man',
        ageYears,
        massKg === undefined ? undefined : `${massKg} kg`,
      ]
        .filter((part) => part !== undefined)
        .join(' '),
    )
    .join('; ');
}

import { GENDERS, type Gender } from '../../core/genders.js';
import { AGE_LIMITS } from '../../core/limits.js';
import type { Product } from '../../products/index.js';
import { CLOTHING_LABELS, clothingSentence } from '../../site/labels.js';
import { SCREEN_PATHS, type ScreenId } from '../../site/paths.js';
import { type Field, list, readField, type Say, shortened, UNSAID } from './address-fields.js';

/**
 * A population of a page: one gender or both, countries or sets of countries, completed ages, and clothing.
 * Country names and numbers are not checked yet; the validator of the operation checks them.
 */
export interface ChosenPopulation {
  /** One gender. If undefined, both genders by head count. */
  readonly gender?: Gender | undefined;
  readonly countries: readonly string[];
  readonly ageMin: number;
  readonly ageMax: number;
  /**
   * Clothing of the people; undefined if nobody has chosen it. They are then nude, or they wear the clothing
   * of the product's users on a screen with a product.
   */
  readonly clothing?: string | undefined;
  /** Name that the user has given to the population. */
  readonly name?: string | undefined;
}

/** Longest name of a population, in characters. */
export const POPULATION_NAME_MAX = 60;

/** Maximum number of populations on one page. */
export const CHOSEN_MAX = 6;

/** The populations of an address without any. */
export const DEFAULT_POPULATIONS: readonly ChosenPopulation[] = GENDERS.toReversed().map(
  (gender) => ({ gender, countries: ['US'], ageMin: 18, ageMax: 65 }),
);

/** Maximum number of places of a population: more than there are countries and sets of countries. */
const PLACES_MAX = 250;

const BOTH = 'Both';

/**
 * The populations of an address. Each parameter `p` is a population, such as `p=Female~DE,JP~18-65~winter`. A
 * name can follow, as in `p=Female~DE~18-65~~Night shift`. Missing clothing means that none is chosen.
 * Without parameters, the populations are `DEFAULT_POPULATIONS`.
 */
export const POPULATIONS: Field<readonly ChosenPopulation[]> = list(
  'p',
  'populations',
  CHOSEN_MAX,
  DEFAULT_POPULATIONS,
  { read: parsePopulation, write: populationText },
);

/** Whether an address names populations. */
export const NAMES_PEOPLE: Field<boolean> = { read: (params) => params.has('p'), write: () => [] };

/** The usual people of a product, in the country of the default populations; the default ones if it has none. */
export function usualPeople(people: Product['people']): readonly ChosenPopulation[] {
  return people?.map((one) => ({ ...one, countries: ['US'] })) ?? DEFAULT_POPULATIONS;
}

/** Reads a population from the text of `p`. Undefined if a part of the text cannot be shown. */
export function readPopulation(text: string): ChosenPopulation | undefined {
  let isDamaged = false;
  const population = parsePopulation(text, () => {
    isDamaged = true;
  });
  return isDamaged ? undefined : population;
}

/** The population of a group such as `Female~18-65` in a country; undefined if a part cannot be shown. */
export function populationOf(group: string, country: string): ChosenPopulation | undefined {
  const [gender, ages] = group.split('~');
  return readPopulation(`${gender}~${country}~${ages}`);
}

/** The number of the shown population, from 1, on a screen that shows one population at a time. */
export const SHOWN_POPULATION: Field<number> = {
  read(params) {
    const shown = Number(params.get('of') ?? 1);
    const isThere = Number.isInteger(shown) && shown >= 1;
    return isThere && shown <= POPULATIONS.read(params, UNSAID).length ? shown : 1;
  },
  write: (shown) => (shown === 1 ? [] : [`of=${shown}`]),
};

/** The populations of a query. */
export function readPopulations(query: string): readonly ChosenPopulation[] {
  return readField(POPULATIONS, query);
}

/** The parameters of these populations in an address. `POPULATIONS` reads them. */
export function populationsQuery(populations: readonly ChosenPopulation[]): string {
  return POPULATIONS.write(populations).join('&');
}

/** The address of a screen with its default view of these populations. */
export function screenLink(screen: ScreenId, populations: readonly ChosenPopulation[]): string {
  const query = populationsQuery(populations);
  const isDefault = query === populationsQuery(DEFAULT_POPULATIONS);
  return isDefault ? SCREEN_PATHS[screen] : `${SCREEN_PATHS[screen]}?${query}`;
}

/** Ages of a population if its address has no ages. */
const ADULTS = ['18', '65'] as const;

function parsePopulation(text: string, say: Say): ChosenPopulation | undefined {
  const [given, places = '', ages = '', clothing = '', ...called] = text.split('~');
  const name = populationName(called.join('~'));
  const named = places.split(',').filter((place) => place !== '');
  const countries = [...new Set(named)].slice(0, PLACES_MAX);
  if (countries.length === 0) {
    say(
      `The address has the population “${text}”, which names no country. It is left out; add a population on the page.`,
    );
    return undefined;
  }
  const gender = GENDERS.find((name) => name === given);
  if (gender === undefined && given !== BOTH) {
    say(
      `The address asks for people of the gender “${given}”, which is not known. Shown are both; known are ${GENDERS.join(', ')} and ${BOTH}.`,
    );
  }
  const [, from, to] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(ages) ?? [undefined, ...ADULTS];
  if (!/^\d{1,3}(-\d{1,3})?$/.test(ages)) {
    say(
      `The address gives “${ages}” as the ages of a population, which must be years such as ${ADULTS.join('-')}. Shown are: ${ADULTS.join(' to ')}.`,
    );
  }
  const isDress = clothing === '' || Object.hasOwn(CLOTHING_LABELS, clothing);
  if (!isDress) {
    say(`The address asks for the clothing “${clothing}”, which is not known. It is left out.`);
  }
  return {
    gender,
    countries,
    ageMin: Number(from),
    ageMax: Number(to ?? from),
    ...(clothing === '' || !isDress ? {} : { clothing }),
    ...(name === undefined ? {} : { name }),
  };
}

/** A text without invisible characters. Keyboards add some of them to names, such as direction marks. */
export function visibleText(text: string): string {
  // Joiners are part of words and of emoji.
  return text.replace(/(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu, '');
}

/**
 * A name as pages show it, without invisible characters and without characters that make it a formula in a
 * spreadsheet. Undefined if nothing is left.
 */
export function populationName(text: string): string | undefined {
  const plain = visibleText(text).replace(/^[\s=+\-@]+/, '');
  const name = shortened(plain, POPULATION_NAME_MAX).trim();
  return /[\p{L}\p{N}\p{S}\p{P}]/u.test(name) ? name : undefined;
}

/** The text of a population in `p`, such as `Female~DE,JP~18-65~winter`. `readPopulation` reads it. */
export function populationText(population: ChosenPopulation): string {
  const { gender, countries, ageMin, ageMax, clothing = '', name } = population;
  const rest = [clothing, ...(name === undefined ? [] : [name])];
  const end = rest.every((part) => part === '') ? '' : `~${rest.join('~')}`;
  return `${gender ?? BOTH}~${countries.join()}~${ageMin}-${ageMax}${end}`;
}

/** Clothing of the people of a population. Without a choice, they are nude. */
export function clothingOf({ clothing = 'nude' }: Pick<ChosenPopulation, 'clothing'>): string {
  return clothing;
}

/** Clothing in the name of a population. */
const DRESS: Readonly<Record<string, string>> = {
  nude: 'nude',
  light: 'light clothing',
  shoes: 'flat shoes',
  light_shoes: 'light clothing and flat shoes',
  winter: 'winter clothing',
  heels: 'heels',
};

/** Label of a population: its name, otherwise its description. */
export function populationLabel(population: ChosenPopulation): string {
  return population.name ?? populationWords(population);
}

/** Label of several populations together. Women and men who are alike otherwise have one name. */
export function populationsLabel(populations: readonly ChosenPopulation[]): string {
  const [one, other, ...more] = populations;
  const areTwo = one?.gender && other?.gender && one.gender !== other.gender && more.length === 0;
  return areTwo && populationText(one) === populationText({ ...other, gender: one.gender })
    ? (one.name ?? populationWords(one, ['Men and women', 'Boys and girls']))
    : populations.map(populationLabel).join('; ');
}

/** Label of a population, with a single age on a screen that shows one. */
export function labelAt(population: ChosenPopulation, age: number | undefined): string {
  const ages = age === undefined ? {} : { ageMin: age, ageMax: age };
  return populationLabel({ ...population, ...ages });
}

/** A population with its name and description, such as `Night shift (Women, DE, 18–65)`. */
export function populationInFull(population: ChosenPopulation): string {
  const words = populationWords(population);
  return population.name === undefined ? words : `${population.name} (${words})`;
}

/** People and what they wear, in full, for a printed page. */
export function peopleSentences(
  populations: readonly ChosenPopulation[],
  clothing: (one: ChosenPopulation) => string = clothingOf,
): string {
  const people = populations.map(populationInFull).join('; ');
  return `People: ${people}. ${clothingSentence(populations.map(clothing))}`;
}

/** What people of each gender are called: adults, and children. */
const PEOPLE_WORDS = {
  Female: ['Women', 'Girls'],
  Male: ['Men', 'Boys'],
  Both: ['People', 'Children'],
} as const;

/** A short description of a population: `Women, DE, 18–65` or `Children, World, 6–10, winter clothing`. */
export function populationWords(
  { gender, countries, ageMin, ageMax, clothing }: ChosenPopulation,
  [adults, children]: readonly [string, string] = PEOPLE_WORDS[gender ?? BOTH],
): string {
  const ages = ageMin === ageMax ? `${ageMin}` : `${ageMin}–${ageMax}`;
  const dress =
    clothing === undefined
      ? ''
      : `, ${DRESS[clothing] ?? `${clothing.replaceAll('_', ' ')} clothing`}`;
  return `${ageMax >= 18 ? adults : children}, ${countries.join(', ')}, ${ages}${dress}`;
}

/** Whether two populations have the same people. Their names do not matter. */
export function isSamePopulation(one: ChosenPopulation, other: ChosenPopulation): boolean {
  const text = (population: ChosenPopulation) => populationText({ ...population, name: undefined });
  return text(one) === text(other);
}

/** Whether two populations have a gender and an age in common. */
export function haveCommonAges(one: ChosenPopulation, other: ChosenPopulation): boolean {
  const genders = new Set([one.gender, other.gender].filter((gender) => gender !== undefined));
  return genders.size < 2 && one.ageMin <= other.ageMax && other.ageMin <= one.ageMax;
}

/** The population as a single group, in the form of the operations. */
export function populationBody({ gender, countries, ageMin, ageMax }: ChosenPopulation) {
  const group = { countries: [...countries], ageMin, ageMax };
  return { groups: [gender === undefined ? group : { ...group, gender }] };
}

/** What the ages of a population are, in words. */
export const AGES_TEXT = 'Ages are completed years: 8 is 8.0 to 8.99.';

/** Whether the people have one age at which months do not matter. */
export const haveOneAge = ({ ageMin, ageMax }: ChosenPopulation): boolean =>
  ageMin === ageMax && ageMin >= 18;

/** The label of the age of one person. */
export const ONE_AGE_LABEL = 'Age in completed years, or exact such as 8.25';

/** Maximum age that counts for the middle age of a population, because few people are older. */
const OLD_YEARS = 90;

/** The completed age in the middle of a population: 54 for people of 18 to 120. */
export function middleAge({ ageMin, ageMax }: Pick<ChosenPopulation, 'ageMin' | 'ageMax'>): number {
  return Math.floor((ageMin + Math.min(ageMax, Math.max(ageMin, OLD_YEARS))) / 2);
}

/**
 * The exact age, as the API takes it, of a person of an age on a page. A whole number is a completed age: the person is
 * in the middle of the year. Others are exact. An age that the API does not know stays, so that the API refuses it as
 * it was given.
 */
export function exactAge(years: number): number {
  const isKnown = years >= AGE_LIMITS.minimum && years < AGE_LIMITS.maximum;
  return isKnown && Number.isInteger(years) ? years + 0.5 : years;
}

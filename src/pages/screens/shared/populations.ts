import { GENDERS, type Gender } from '../../../core/genders.js';
import { type Field, list, readField, type Say, UNSAID } from './address-fields.js';
import { CLOTHING_LABELS } from './labels.js';

/**
 * A population that a page shows: a gender or both, countries or sets of them, completed ages, and
 * clothing. Names of countries and numbers are unchecked: the validator of the operation checks them.
 */
export interface ChosenPopulation {
  /** Both genders by head count if undefined. */
  readonly gender?: Gender | undefined;
  readonly countries: readonly string[];
  readonly ageMin: number;
  readonly ageMax: number;
  /**
   * What its people wear. Nobody has chosen it if undefined: they are nude, or wear what the users of
   * a product wear on a screen with a product.
   */
  readonly clothing?: string | undefined;
  /** What its user calls it. */
  readonly name?: string | undefined;
}

/** Longest name of a population, in characters. */
export const POPULATION_NAME_MAX = 60;

/** Populations that one page can show. */
export const CHOSEN_MAX = 6;

/** The populations of an address without any. */
export const DEFAULT_POPULATIONS: readonly ChosenPopulation[] = GENDERS.toReversed().map(
  (gender) => ({ gender, countries: ['US'], ageMin: 18, ageMax: 65 }),
);

const BOTH = 'Both';

/**
 * The populations of an address: each parameter `p` is one, such as `p=Female~DE,JP~18-65~winter`.
 * A name can follow, as in `p=Female~DE~18-65~~Night shift`. Clothing that is left out is not chosen.
 * Without parameters, they are `DEFAULT_POPULATIONS`.
 */
export const POPULATIONS: Field<readonly ChosenPopulation[]> = list(
  'p',
  'populations',
  CHOSEN_MAX,
  DEFAULT_POPULATIONS,
  { read: parsePopulation, write: populationText },
);

/** One population as `p` has it; undefined for a text with a part that cannot be shown. */
export function readPopulation(text: string): ChosenPopulation | undefined {
  let isDamaged = false;
  const population = parsePopulation(text, () => {
    isDamaged = true;
  });
  return isDamaged ? undefined : population;
}

/** The population that a screen with one population at a time shows, from 1. */
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

/** The parameters of an address for these populations, as `readPopulations` reads them. */
export function populationsQuery(populations: readonly ChosenPopulation[]): string {
  return POPULATIONS.write(populations).join('&');
}

/** Ages of a population whose ages an address does not say. */
const ADULTS = ['18', '65'] as const;

function parsePopulation(text: string, say: Say): ChosenPopulation | undefined {
  const [given, places = '', ages = '', clothing = '', ...called] = text.split('~');
  const name = populationName(called.join('~'));
  const countries = places.split(',').filter((place) => place !== '');
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

/** A text without invisible characters, such as marks of direction, which keyboards add to names. */
export function visibleText(text: string): string {
  // Joiners are part of words and of emoji.
  return text.replace(/(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu, '');
}

/**
 * A name as pages show it: without invisible characters, and without those that make it a formula in a
 * spreadsheet; undefined if nothing is left.
 */
export function populationName(text: string): string | undefined {
  const name = visibleText(text)
    .replace(/^[\s=+\-@]+/, '')
    .slice(0, POPULATION_NAME_MAX)
    // Half of an emoji cannot be written into an address.
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  return /[\p{L}\p{N}\p{S}\p{P}]/u.test(name) ? name : undefined;
}

/** A population as `p` has it, such as `Female~DE,JP~18-65~winter`; `readPopulation` reads it. */
export function populationText(population: ChosenPopulation): string {
  const { gender, countries, ageMin, ageMax, clothing = '', name } = population;
  const rest = [clothing, ...(name === undefined ? [] : [name])];
  const end = rest.every((part) => part === '') ? '' : `~${rest.join('~')}`;
  return `${gender ?? BOTH}~${countries.join()}~${ageMin}-${ageMax}${end}`;
}

/** What the people of a population wear: what was chosen, or else nothing. */
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

/** What a population is called: its name, or else who it is. */
export function populationLabel(population: ChosenPopulation): string {
  return population.name ?? populationWords(population);
}

/** A population with its name and who it is, such as `Night shift (Women DE 18–65)`. */
export function populationInFull(population: ChosenPopulation): string {
  const words = populationWords(population);
  return population.name === undefined ? words : `${population.name} (${words})`;
}

/** Who a population is in few words: `Women DE 18–65` or `People World 6–10, winter clothing`. */
export function populationWords(population: ChosenPopulation): string {
  const { gender, countries, ageMin, ageMax, clothing } = population;
  const adults = ageMax >= 18;
  const words = {
    Female: adults ? 'Women' : 'Girls',
    Male: adults ? 'Men' : 'Boys',
    Both: adults ? 'People' : 'Children',
  };
  const ages = ageMin === ageMax ? `${ageMin}` : `${ageMin}–${ageMax}`;
  const dress =
    clothing === undefined
      ? ''
      : `, ${DRESS[clothing] ?? `${clothing.replaceAll('_', ' ')} clothing`}`;
  return `${words[gender ?? BOTH]} ${countries.join(', ')} ${ages}${dress}`;
}

/** Whether two populations are the same people, whatever they are called. */
export function isSamePopulation(one: ChosenPopulation, other: ChosenPopulation): boolean {
  const text = (population: ChosenPopulation) => populationText({ ...population, name: undefined });
  return text(one) === text(other);
}

/** Few people are older, so ages up to this one count for the age in the middle of a population. */
const OLD_YEARS = 90;

/** The age in the middle of a population: 54 for people of 18 to 120. */
export function middleAge({ ageMin, ageMax }: Pick<ChosenPopulation, 'ageMin' | 'ageMax'>): number {
  return (ageMin + Math.min(ageMax, Math.max(ageMin, OLD_YEARS))) / 2;
}

/** The population as operations take it: one group. */
export function populationBody({ gender, countries, ageMin, ageMax }: ChosenPopulation) {
  const group = { countries: [...countries], ageMin, ageMax };
  return { groups: [gender === undefined ? group : { ...group, gender }] };
}

import { COUNTRY_CODES } from '../core/countries.js';
import { SET_NAMES } from '../core/country-sets.js';
import { AGE_LIMITS } from '../core/limits.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import { nameHint } from '../operations/nearest-name.js';
import { countriesOf } from '../operations/population-request.js';

// Arguments of prompts. The protocol has only texts, so each kind of argument checks and reads its own text.

/** A refusal of an argument, as a sentence. */
export class ArgumentFault extends Error {}

/** A kind of argument: how its text is read, and how it is completed. */
export interface ArgumentKind<Value = unknown> {
  /** @throws ArgumentFault */
  read(text: string, name: string): Value;
  readonly choices: readonly string[];
}

/** Ages in completed years. */
export interface Ages {
  readonly ageMin: number;
  readonly ageMax: number;
}

/** The name of a measurement. */
export const measurementKind: ArgumentKind<string> = {
  choices: MEASUREMENT_NAMES,
  read(text, name) {
    if ((MEASUREMENT_NAMES as readonly string[]).includes(text)) return text;
    const hint = nameHint(text, MEASUREMENT_NAMES) ?? 'get_catalog finds the names.';
    throw new ArgumentFault(`${name}: ${JSON.stringify(text)} is not a measurement. ${hint}`);
  },
};

/** Names of measurements, separated by commas. */
export function measurementsKind(most: number): ArgumentKind<string[]> {
  return {
    choices: MEASUREMENT_NAMES,
    read(text, name) {
      const names = text.split(',').map((word) => measurementKind.read(word.trim(), name));
      if (names.length <= most && new Set(names).size === names.length) return names;
      throw new ArgumentFault(`${name}: give 1 to ${most} measurements, each once.`);
    },
  };
}

const PLACES = [...COUNTRY_CODES, ...SET_NAMES];

/** A list of country codes, separated by commas. Names of sets of countries are included if `sets` allows them. */
export function countriesKind(sets: 'sets' | 'codes', most: number): ArgumentKind<string[]> {
  return {
    choices: sets === 'sets' ? PLACES : COUNTRY_CODES,
    read(text, name) {
      const places = text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '');
      if (places.length === 0 || places.length > most) {
        throw new ArgumentFault(
          `${name}: give 1 to ${most} ${sets === 'sets' ? 'country codes or sets' : 'country codes'}, separated by commas.`,
        );
      }
      for (const place of places) checkPlace(place, name, sets);
      if (new Set(places).size < places.length) {
        throw new ArgumentFault(`${name}: name each country once.`);
      }
      return places;
    },
  };
}

function checkPlace(place: string, name: string, sets: 'sets' | 'codes'): void {
  const isCode = (COUNTRY_CODES as readonly string[]).includes(place);
  if (isCode || (sets === 'sets' && countriesOf(place) !== undefined)) return;
  const known = sets === 'sets' ? PLACES : COUNTRY_CODES;
  const hint = nameHint(place, known) ?? 'get_catalog finds the codes.';
  const what = sets === 'sets' ? 'a country code or a set of countries' : 'a country code';
  throw new ArgumentFault(`${name}: ${JSON.stringify(place)} is not ${what}. ${hint}`);
}

/** A number between two limits, or a whole one. */
export function numberKind(minimum: number, maximum: number, whole = false): ArgumentKind<number> {
  return {
    choices: [],
    read(text, name) {
      const value = Number(text);
      const fits = value >= minimum && value <= maximum && (!whole || Number.isInteger(value));
      if (fits) return value;
      const what = whole ? 'a whole number' : 'a number';
      throw new ArgumentFault(
        `${name}: give ${what} from ${minimum} to ${maximum}, not ${JSON.stringify(text)}.`,
      );
    },
  };
}

/** A name of a short list. */
export function namesKind(choices: readonly string[]): ArgumentKind<string> {
  return {
    choices,
    read(text, name) {
      const found = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
      if (found !== undefined) return found;
      throw new ArgumentFault(
        `${name}: give ${choices.join(' or ')}, not ${JSON.stringify(text)}.`,
      );
    },
  };
}

/** A range of ages such as 20-65, or one age. */
export const agesKind: ArgumentKind<Ages> = {
  choices: [],
  read(text, name) {
    const { minimum, maximum } = AGE_LIMITS;
    const [, from, to = from] = /^(\d+)(?:\s*(?:-|–|to)\s*(\d+))?$/.exec(text) ?? [];
    const [ageMin, ageMax] = [Number(from), Number(to)];
    if (ageMin >= minimum && ageMax <= maximum && ageMin <= ageMax) return { ageMin, ageMax };
    throw new ArgumentFault(
      `${name}: give the youngest and the oldest age in years from ${minimum} to ${maximum}, such as 20-65, not ${JSON.stringify(text)}.`,
    );
  },
};

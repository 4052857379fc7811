import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { COUNTRIES, type Country } from '../core/countries.js';
import { COUNTRY_SETS, membersOfSet } from '../core/country-sets.js';
import { MEASUREMENTS, type Measurement } from '../core/measurements.js';
import { CLOTHING, POSTURES } from '../core/profiles.js';
import { UNITS } from '../core/units.js';
import { buildCatalog, catalogEntry } from '../operations/catalog.js';
import { type BodyQuantity, findBodyQuantities } from '../search/body-quantities.js';
import {
  countryNamed,
  countrySetNamed,
  findCountries,
  findCountrySets,
} from '../search/countries.js';
import { findMeasurements } from '../search/measurements.js';
import { findNotCovered, orNearest } from '../search/not-covered.js';
import { JSON_OPTION, type JsonOption, print, table } from './output.js';

/** Prints the catalog as `GET /` returns it, or as tables. With search words, only matching entries are printed. */
export function catalogCommand(command: Command): void {
  command
    .argument(
      '[words...]',
      'search for a measurement or country: "shoulder width", "shoe size", Holland',
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  npx vitruvia catalog shoulder\n  npx vitruvia catalog shoe size --json\n',
    )
    .action((words: readonly string[], options: JsonOption) => {
      if (words.length > 0) {
        const found = matching(words.join(' '));
        print(options, found, foundText(found));
        return;
      }
      const { rateLimitMax } = readConfig(process.env);
      print(options, buildCatalog({ rateLimitMax }), readable());
    });
}

/** Entries that match some words, in the form of the answers of `get_catalog`. */
interface Matching {
  readonly notCovered?: readonly { readonly need: string; readonly nearest: string }[];
  readonly bodyQuantities?: readonly BodyQuantity[];
  readonly measurements: readonly ReturnType<typeof catalogEntry>[];
  readonly countries: readonly Pick<Country, 'code' | 'name'>[];
  readonly countrySets: Readonly<Record<string, readonly string[]>>;
}

/**
 * Finds measurements, countries and sets. Countries and sets with only a similar name are included only if nothing else
 * matches.
 */
function matching(text: string): Matching {
  const missing = findNotCovered(text);
  const measurements = orNearest(text, findMeasurements(text), MEASUREMENTS).map(catalogEntry);
  const bodies = findBodyQuantities(text);
  const similar = measurements.length + missing.length + bodies.length === 0;
  const countries = similar || countryNamed(text) !== undefined ? findCountries(text) : [];
  const sets = similar || countrySetNamed(text) !== undefined ? findCountrySets(text) : [];
  return {
    ...(missing.length === 0
      ? {}
      : { notCovered: missing.map(({ need, nearest }) => ({ need, nearest })) }),
    ...(bodies.length === 0 ? {} : { bodyQuantities: bodies }),
    measurements,
    countries: countries.map(({ code, name }) => ({ code, name })),
    countrySets: Object.fromEntries(sets.map((name) => [name, membersOfSet(name) ?? []])),
  };
}

function foundText(found: Matching): string {
  const { notCovered = [], bodyQuantities = [], measurements, countries, countrySets } = found;
  const tables = [
    ...notCovered.map(({ need, nearest }) => `Not covered: ${need}. ${nearest}`),
    ...bodyQuantities.map(({ name, definition }) => `${name}: ${definition}`),
    ...(measurements.length === 0 ? [] : [measurementTable(measurements)]),
    ...(countries.length === 0 ? [] : [countryTable(countries)]),
    ...(Object.keys(countrySets).length === 0 ? [] : [setTable(countrySets)]),
  ];
  return tables.length === 0 ? 'Nothing matches; use fewer or other words.' : tables.join('\n\n');
}

function readable(): string {
  return [
    measurementTable(MEASUREMENTS),
    countryTable(COUNTRIES),
    setTable(COUNTRY_SETS),
    table([['CLOTHING', 'DEFINITION'], ...CLOTHING.map(({ id, definition }) => [id, definition])]),
    table([['POSTURE', 'DEFINITION'], ...POSTURES.map(({ id, definition }) => [id, definition])]),
    `Units: ${UNITS.join(', ')}`,
  ].join('\n\n');
}

function measurementTable(
  measurements: readonly Pick<Measurement, 'name' | 'genders' | 'definition'>[],
): string {
  const rows = measurements.map(({ name, genders, definition }) => [
    name,
    genders.join(', '),
    definition,
  ]);
  return table([['MEASUREMENT', 'GENDERS', 'DEFINITION'], ...rows]);
}

function countryTable(countries: readonly Pick<Country, 'code' | 'name'>[]): string {
  return table([['COUNTRY', 'NAME'], ...countries.map(({ code, name }) => [code, name])]);
}

function setTable(countrySets: Readonly<Record<string, readonly string[]>>): string {
  const rows = Object.entries(countrySets).map(([name, codes]) => [
    name,
    codes.length === COUNTRIES.length ? 'all' : codes.join(' '),
  ]);
  return table([['SET OF COUNTRIES', 'COUNTRIES'], ...rows]);
}

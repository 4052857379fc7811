import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { COUNTRIES, type Country } from '../core/countries.js';
import { COUNTRY_SETS, membersOfSet } from '../core/country-sets.js';
import { MEASUREMENTS, type Measurement } from '../core/measurements.js';
import { CLOTHING, POSTURES } from '../core/profiles.js';
import { UNITS } from '../core/units.js';
import { buildCatalog, catalogEntry } from '../operations/catalog.js';
import { type Found, findInCatalog, linesOf } from '../search/catalog-search.js';
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
        const found = findInCatalog(words.join(' '));
        print(options, inForm(found), foundText(found));
        return;
      }
      const { rateLimitMax } = readConfig(process.env);
      print(options, buildCatalog({ rateLimitMax }), readable());
    });
}

/** The entries that a search finds, in the form of the answers of `get_catalog`. */
function inForm(found: Found) {
  const sets = found.countrySets.map((name) => [name, membersOfSet(name) ?? []]);
  return {
    ...found,
    measurements: found.measurements.map(catalogEntry),
    countries: found.countries.map(({ code, name }) => ({ code, name })),
    countrySets: Object.fromEntries(sets),
  };
}

function foundText(found: Found): string {
  const { measurements, countries, countrySets } = inForm(found);
  const tables = [
    ...linesOf(found),
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

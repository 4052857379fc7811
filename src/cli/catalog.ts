import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { COUNTRIES } from '../core/countries.js';
import { COUNTRY_SETS } from '../core/country-sets.js';
import { MEASUREMENTS } from '../core/measurements.js';
import { CLOTHING, POSTURES } from '../core/profiles.js';
import { UNITS } from '../core/units.js';
import { buildCatalog } from '../operations/catalog.js';
import { JSON_OPTION, type JsonOption, print, table } from './output.js';

/** Prints the catalog as `GET /` returns it, or as tables. */
export function catalogCommand(command: Command): void {
  command
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia catalog --json\n')
    .action((options: JsonOption) => {
      const { rateLimitMax } = readConfig(process.env);
      print(options, buildCatalog({ rateLimitMax }), readable());
    });
}

function readable(): string {
  const measurements = MEASUREMENTS.map(({ name, genders, definition }) => [
    name,
    genders.join(', '),
    definition,
  ]);
  const countries = COUNTRIES.map(({ code, name }) => [code, name]);
  const sets = Object.entries(COUNTRY_SETS).map(([name, codes]) => [
    name,
    codes.length === COUNTRIES.length ? 'all' : codes.join(' '),
  ]);
  return [
    table([['MEASUREMENT', 'GENDERS', 'DEFINITION'], ...measurements]),
    table([['COUNTRY', 'NAME'], ...countries]),
    table([['SET OF COUNTRIES', 'COUNTRIES'], ...sets]),
    table([['CLOTHING', 'DEFINITION'], ...CLOTHING.map(({ id, definition }) => [id, definition])]),
    table([['POSTURE', 'DEFINITION'], ...POSTURES.map(({ id, definition }) => [id, definition])]),
    `Units: ${UNITS.join(', ')}`,
  ].join('\n\n');
}

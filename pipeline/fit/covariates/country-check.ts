import { COUNTRIES } from '../../../src/core/countries.js';
import { placeOf } from '../../../src/core/regions.js';
import { BuildFault } from '../../plans/build-fault.js';
import type { RawTables } from '../../raw-tables/raw-tables.js';
import { BMI_NEIGHBOURS } from './country-bmi.js';

/** The fields of a country that are checked. */
interface Country {
  readonly code: string;
  readonly iso3: string;
}

/** A table that must contain each country, unless its figure can come from elsewhere. */
interface Need {
  /** The figure that the table has for a country, in words. */
  readonly what: string;
  readonly source: string;
  readonly table: string;
  /** Whether the country is served without the table. */
  readonly spared?: (code: string) => boolean;
  readonly otherwise?: string;
}

const NEIGHBOURS_FILE = 'BMI_NEIGHBOURS in pipeline/fit/covariates/country-bmi.ts';

/** Tables from which the covariates of a country come. */
const NEEDS: readonly Need[] = [
  { what: 'stature', source: 'ncdrisc-2020', table: 'height_at_19' },
  { what: 'stature of children', source: 'ncdrisc-2020-children', table: 'height_by_age' },
  {
    what: 'BMI',
    source: 'ncdrisc-2024-bmi',
    table: 'bmi_gamma',
    spared: (code) => BMI_NEIGHBOURS[code] !== undefined,
    otherwise: `name countries like it in ${NEIGHBOURS_FILE}`,
  },
  { what: 'head count', source: 'wpp2022', table: 'population' },
];

/** Table of stature that stands in where `ncdrisc-2020` was left out. */
const OLDER: Need = { what: 'stature', source: 'ncdrisc-2016', table: 'height_by_birth_year' };

function hasRegion(code: string): boolean {
  try {
    placeOf(code);
    return true;
  } catch {
    return false;
  }
}

/**
 * Refuses countries of the service that lack a region, stature, BMI or head count. The check runs before
 * anything is fitted. It passes over sources that were left out.
 *
 * @throws BuildFault that names the country and the file to edit
 */
export async function checkCountries(
  tables: RawTables,
  countries: readonly Country[] = COUNTRIES,
): Promise<void> {
  const faults = countries
    .filter(({ code }) => !hasRegion(code))
    .map(({ code }) => `The country ${code} has no region. Add it to src/core/regions.ts.`);
  const needs = tables.has('ncdrisc-2020') ? NEEDS : [OLDER, ...NEEDS];
  for (const { what, source, table, spared, otherwise } of needs) {
    if (!tables.has(source)) continue;
    const { rows, path } = await tables.fileRows(source, table);
    const present = new Set(rows.map(({ country }) => country));
    for (const { code, iso3 } of countries) {
      if (present.has(code) || spared?.(code)) continue;
      const also = otherwise === undefined ? '' : `, or ${otherwise}`;
      faults.push(
        `The country ${code} has no ${what} in ${path}. Check its code ${iso3} in src/core/countries.ts and run npm run import -- ${source}${also}.`,
      );
    }
  }
  if (faults.length > 0) throw new BuildFault(faults);
}

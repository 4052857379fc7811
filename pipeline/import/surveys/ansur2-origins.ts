import { queryNumber } from '../duck.js';
import type { Importer } from '../importer.js';
import { surveyMoments } from '../statistics.js';
import { ANSUR2, ansur2People } from './ansur2.js';

const only = (names: string): string => `regexp_full_match(Ethnicity, '((${names}) ?)+')`;

/**
 * SQL for the origin of a soldier. It is the race of the US Department of Defense (DODRace: 1 White, 2 Black, 3
 * Hispanic, 4 Asian, 6 Pacific Islander). For Asians, it is the ethnic group that they named.
 */
const ORIGIN_SQL = `CASE
  WHEN DODRace = '1' THEN 'White'
  WHEN DODRace = '2' THEN 'Black'
  WHEN DODRace = '3' THEN 'Hispanic'
  WHEN DODRace = '4' AND ${only('Chinese|Japanese|Korean|Taiwanese')} THEN 'EastAsian'
  WHEN DODRace = '4' AND ${only('Burmese|Cambodian|Filipino|Hmong|Laotian|Thai|Vietnamese')}
    THEN 'SoutheastAsian'
  WHEN DODRace = '6' THEN 'PacificIslander' END`;

/** Soldiers of ANSUR II by origin: counts, means and spreads of groups of ten or more people. */
export const ANSUR2_ORIGINS: Importer = {
  source: 'ansur2-origins',
  title: 'ANSUR II, US soldiers of 2012 by origin',
  citation: ANSUR2.citation,
  licence: ANSUR2.licence,
  notes: [
    'The origin is the race that the Department of Defense recorded. Asians are divided by the ethnic groups that they named: Chinese, Japanese, Korean and Taiwanese; or Burmese, Cambodian, Filipino, Hmong, Laotian, Thai and Vietnamese. Asians of other groups and of both kinds are left out, and so are Native Americans, for whom no country has a study.',
  ],
  files: ANSUR2.files,
  async build(context) {
    const { connection, log } = context;
    const variables = await ansur2People(context, 'ansur2-origins', ORIGIN_SQL);
    const moments = await surveyMoments(connection, variables, log);
    const count = await queryNumber(connection, 'SELECT count(*) FROM people');
    log(`${count} people with a known origin`);
    const columns = moments.columns.map((column) =>
      column[0] === 'age_group' ? (['origin', 'origin of the soldiers'] as const) : column,
    );
    return [{ ...moments, file: 'origins.csv', columns }];
  },
};

import lists from './word-lists.json' with { type: 'json' };

// cspell:disable
/**
 * Names of columns in public files of surveys, in lower case, with what they have as `--columns` of `fill` would say it:
 * NHANES (documentation of DEMO and BMX), the Demographic and Health Surveys (DHS recode manual: masses in units of
 * 100 g, statures in mm, ages of children in months), and short names of programs and clinics.
 */
export const SURVEY_COLUMNS: ReadonlyMap<string, string> = new Map(
  Object.entries(lists.surveyColumns).flatMap(([column, names]) =>
    names.split(', ').map((name) => [name, column] as const),
  ),
);

const MAN_1: ReadonlyMap<string, string> = new Map([
  ['1', 'Male'],
  ['2', 'Female'],
]);

/** Meanings of the numbers in a column of genders, by its heading. */
export const CODED_GENDERS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ...['riagendr', 'hv104', 'hc27', 'b4'].map((name) => [name, MAN_1] as const),
  [
    'male',
    new Map([
      ['1', 'Male'],
      ['0', 'Female'],
    ]),
  ],
  [
    'female',
    new Map([
      ['1', 'Female'],
      ['0', 'Male'],
    ]),
  ],
]);

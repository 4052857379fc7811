import table from './dimensions.json' with { type: 'json' };

/** A survey of persons whose dimensions are in `dimensions.json`. */
export type DimensionSurvey =
  | 'ansur1'
  | 'ansur1-reach'
  | 'ansur2'
  | 'asran2015'
  | 'snyder1977'
  | 'usaf1967';

/** A dimension: its name, and the SQL expression in mm over the columns of a survey. */
export type Dimension = readonly [name: string, sql: string];

/**
 * The dimensions of a survey, from `dimensions.json`. The file leaves out further names of a listed dimension. It also
 * leaves out names that would be one column times a constant, because the fits model them. Some names are not among the
 * 148: other dimensions of children grow like them (`snyderShape` in the plan), or they are extra predictors.
 */
export function dimensionsOf(survey: DimensionSurvey): Dimension[] {
  return Object.entries(table).flatMap(
    ([name, of]: [string, { [S in DimensionSurvey]?: string }]) => {
      const sql = of[survey];
      return sql === undefined ? [] : [[name, sql] as const];
    },
  );
}

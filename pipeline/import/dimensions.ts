import table from './dimensions.json' with { type: 'json' };

/** A dimension: its name, and the SQL expression in mm over the columns of a survey. */
export type Dimension = readonly [name: string, sql: string];

/** SQL by survey, and remarks, by dimension. */
const ROWS: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = table;

/**
 * The dimensions of a survey, from `dimensions.json`. The file leaves out further names of a listed dimension. It also
 * leaves out names that would be one column times a constant, because the fits model them. Some names are not among the
 * 148: other dimensions of children grow like them (`snyderShape` in the plan), or they are extra predictors.
 *
 * @param survey name of its importer, such as `ansur1`
 * @throws Error for a survey without dimensions
 */
export function dimensionsOf(survey: string): Dimension[] {
  const found = Object.entries(ROWS).flatMap(([name, { [survey]: sql }]): Dimension[] => {
    return sql === undefined ? [] : [[name, sql]];
  });
  if (found.length === 0) throw new Error(`dimensions.json has no column ${survey}`);
  return found;
}

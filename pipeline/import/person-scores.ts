import type { DuckDBConnection } from '@duckdb/node-api';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { fractionalRanks } from '../plans/fractional-ranks.js';
import { PERSON_NAMES, uniformNumbers } from '../plans/limit-sets.js';
import { queryRows, quoteName } from './duck.js';

/** Seed of the numbers that order equal readings. */
const TIE_SEED = 61;

/** People of one gender, and their ranks among each other. */
export interface PersonScores {
  readonly gender: string;
  /** Number of people. */
  readonly n: number;
  /** Rank of each person in each quantity of `PERSON_NAMES`, as a share between 0 and 1 (both excluded). */
  readonly ranks: ReadonlyMap<string, Float64Array>;
  /** These ranks as normal scores. */
  readonly scores: ReadonlyMap<string, Float64Array>;
}

/** Normal scores of ranks (0 to 1). */
export function scoresOf(ranks: Float64Array): Float64Array {
  return ranks.map((rank) => zOfPercentile(100 * rank));
}

/**
 * Reads ranks and normal scores from the table `people`, by gender, of the people who have all quantities. Ranks and
 * scores stay in memory; only statistics of them are written.
 */
export async function personScores(connection: DuckDBConnection): Promise<PersonScores[]> {
  const fields = PERSON_NAMES.map(quoteName);
  const complete = fields.map((field) => `${field} IS NOT NULL`).join(' AND ');
  const found: PersonScores[] = [];
  for (const gender of ['Female', 'Male']) {
    const rows = await queryRows(
      connection,
      `SELECT ${fields.join(', ')} FROM people
       WHERE gender = '${gender}' AND ${complete} ORDER BY age_group, row_id`,
    );
    const random = uniformNumbers(TIE_SEED);
    const ranks = new Map(
      PERSON_NAMES.map((name, column) => {
        const values = rows.map((row) => Number(row[column]));
        return [name, fractionalRanks(values, random)] as const;
      }),
    );
    const scores = new Map([...ranks].map(([name, of]) => [name, scoresOf(of)] as const));
    found.push({ gender, n: rows.length, ranks, scores });
  }
  return found;
}

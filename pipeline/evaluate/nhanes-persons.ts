import { groups } from 'd3-array';
import type { Gender } from '../../src/core/genders.js';
import { memoise } from '../numerics/numbers.js';
import { FOLD_SIZES, foldSets, UNFITTED } from '../plans/nhanes-folds.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import type { Rows } from '../raw-tables/source-tables.js';
import type { Asked } from './asked.js';
import { ShareJudge, type ValueLimit } from './us-shares.js';

const SOURCE = 'nhanes-persons';
/** Lattice points of a cohort. A band has 20 cohorts. */
const POINTS = 64;

/**
 * Compares shares of the artifact’s people with weighted shares of the persons of NHANES to whom no model is fitted:
 * shares within random sets of limits (`joint`), and below single limits (`single`). The limits are in mm, kg and kg/m².
 * The artifact’s people have the ages and the year of the persons.
 *
 * @returns predicted − observed, percentage points
 */
export async function scoreNhanesPersons(us: Asked, tables: RawTables) {
  const [joint, single]: [number[], number[]] = [[], []];
  const read = (table: string, order: string): Promise<Rows> =>
    tables.rows(SOURCE, table, `gender, ages, ${order}`);
  const limits = await read('limits', 'quantity, percentile');
  const shares = await read('joint_shares', 'size, "set"');
  const sets = new Map(FOLD_SIZES.map((size) => [size as number, foldSets(size)] as const));
  for (const [key, ofAges] of groups(await read('ages', 'age'), bandOf)) {
    const counted = ofAges.reduce((sum, row) => sum + Number(row.share), 0);
    const gender = ofAges[0].gender as Gender;
    const market = {
      cohorts: ofAges.map((row) =>
        us.cohortOf({
          ...{ gender, country: 'US', ageYears: Number(row.age) + 0.5 },
          year: UNFITTED.year,
        }),
      ),
      weights: Float64Array.from(ofAges, (row) => Number(row.share) / counted),
    };
    const judgeOf = memoise((names: string) => {
      const quantities = names.split(' ').map((name) => us.peopleModel.indexOf(name));
      return new ShareJudge(us.peopleModel, market, quantities, POINTS);
    });
    const points = (names: readonly string[], set: readonly ValueLimit[], observed: unknown) =>
      100 * (judgeOf(names.join(' ')).share(set) - Number(observed));
    const own = limits.filter((row) => bandOf(row) === key);
    const placed = new Map(own.map((row) => [`${row.quantity} ${row.percentile}`, row.value]));
    for (const { size, set: number, share } of shares.filter((row) => bandOf(row) === key)) {
      const set = sets.get(Number(size))?.[Number(number)];
      if (set === undefined) throw new Error(`${SOURCE} has an unknown set of limits`);
      const limited = set.filter(({ low, high }) => low !== undefined || high !== undefined);
      // The table lacks a limit if too few people are beyond it.
      const isPlaced = ({ name, low, high }: (typeof set)[number]): boolean =>
        [low, high].every((end) => end === undefined || placed.has(`${name} ${end}`));
      if (!limited.every(isPlaced)) continue;
      const valueAt = (name: string, percentile: number | undefined) =>
        percentile === undefined ? undefined : Number(placed.get(`${name} ${percentile}`));
      const names = limited.map(({ name }) => name);
      const values = limited.map(({ name, low, high }) => {
        return { low: valueAt(name, low), high: valueAt(name, high) };
      });
      joint.push(points(names, values, share));
    }
    for (const { quantity, value, below } of own) {
      single.push(points([String(quantity)], [{ low: undefined, high: Number(value) }], below));
    }
  }
  return { joint, single };
}

const bandOf = ({ gender, ages }: Rows[number]): string => `${gender}|${ages}`;

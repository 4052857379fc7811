import { GENDERS, type Gender } from '../../src/core/genders.js';
import { REFERENCE_YEAR } from '../plans/axes.js';
import { FOLD_SIZES, foldSets, NHANES_FOLDS, type NhanesFold } from '../plans/nhanes-folds.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import type { Asked } from './asked.js';
import { predictedShare } from './joint-shares.js';
import { type UsMarket, usCohort } from './us-bodies.js';
import { ShareJudge, type ValueLimit } from './us-shares.js';

/** A share of persons of NHANES as counted, and as the artifact answers it, 0 to 1. */
interface FoldShare {
  readonly period: string;
  readonly fitted: NhanesFold['fitted'];
  readonly gender: Gender;
  /** Age band in completed years. */
  readonly ages: string;
  readonly observed: number;
  /** Answers for bodies of the middle of the period, and for bodies of the reference year. */
  readonly ownYear: number;
  readonly referenceYear: number;
}

/** Share of people who meet a random set of limits. */
export interface FoldJointShare extends FoldShare {
  /** Quantities in the set. */
  readonly size: number;
  /** Predicted from the artifact’s correlations and the persons’ own shares beyond single limits. */
  readonly ownMarginals: number;
  /** Mean error that chance alone gives such a share, with this number of people and their weights. */
  readonly chance: number;
}

/** Share of people below one limit. */
export interface FoldLimitShare extends FoldShare {
  readonly quantity: string;
  readonly percentile: number;
}

/** The artifact’s United States against the persons of NHANES. */
export interface NhanesPersons {
  readonly joint: readonly FoldJointShare[];
  readonly single: readonly FoldLimitShare[];
}

/** Lattice points of a cohort. A band has 20 cohorts. */
const POINTS = 64;

const foldKey = (row: Readonly<Record<string, unknown>>): string =>
  `${row.period}|${row.gender}|${row.ages}`;

const percentOf = (share: number | undefined): number | undefined =>
  share === undefined ? undefined : 100 * share;

/** Mean absolute value of a normal error with this standard deviation. */
const meanAbsOf = (sd: number): number => sd * Math.sqrt(2 / Math.PI);

/**
 * Compares shares of the artifact’s people with weighted shares of the persons of NHANES: shares within random sets of
 * limits, and beyond single limits. The limits are in mm, kg and kg/m². The artifact’s people have the ages of the
 * persons.
 */
export async function scoreNhanesPersons(us: Asked, tables: RawTables): Promise<NhanesPersons> {
  const byFold = 'period, gender, ages';
  const source = 'nhanes-persons';
  const limits = new Map<string, { value: number; below: number }>();
  const limitRows = await tables.rows(source, 'limits', `${byFold}, quantity, percentile`);
  for (const row of limitRows) {
    limits.set(`${foldKey(row)}|${row.quantity}|${row.percentile}`, {
      value: Number(row.value),
      below: Number(row.below),
    });
  }
  const ageRows = await tables.rows(source, 'ages', `${byFold}, age`);
  const shareRows = await tables.rows(source, 'joint_shares', `${byFold}, size, "set"`);
  const joint: FoldJointShare[] = [];
  const single: FoldLimitShare[] = [];
  for (const fold of NHANES_FOLDS) {
    const sets = new Map(FOLD_SIZES.map((size) => [size as number, foldSets(fold, size)] as const));
    for (const key of new Set(ageRows.map(foldKey))) {
      const [period, genderName, ages = ''] = key.split('|');
      const gender = GENDERS.find((name) => name === genderName);
      if (period !== fold.period || gender === undefined) continue;
      const inFold = (row: Readonly<Record<string, unknown>>): boolean => foldKey(row) === key;
      const ofAges = ageRows.filter(inFold);
      const counted = ofAges.reduce((sum, row) => sum + Number(row.share), 0);
      const marketOf = (year: number): UsMarket => ({
        cohorts: ofAges.map((row) => usCohort(us, gender, Number(row.age), year)),
        weights: Float64Array.from(ofAges, (row) => Number(row.share) / counted),
      });
      const markets = [fold.year, REFERENCE_YEAR].map(marketOf) as [UsMarket, UsMarket];
      const middleAge = ofAges.reduce(
        (sum, row) => sum + ((Number(row.age) + 0.5) * Number(row.share)) / counted,
        0,
      );
      const about = { period, fitted: fold.fitted, gender, ages };
      const judges = new Map<string, readonly ShareJudge[]>();
      const judge = (names: readonly string[], set: readonly ValueLimit[]) => {
        const id = names.join(' ');
        const quantities = names.map((name) => us.peopleModel.indexOf(name));
        const known =
          judges.get(id) ??
          markets.map((market) => new ShareJudge(us.peopleModel, market, quantities, POINTS));
        judges.set(id, known);
        const [ownYear, referenceYear] = known.map((one) => one.share(set)) as [number, number];
        return { ownYear, referenceYear };
      };
      for (const row of shareRows.filter(inFold)) {
        const set = sets.get(Number(row.size))?.[Number(row.set)];
        if (set === undefined) throw new Error(`${source} has an unknown set of limits`);
        const placed = set.map(({ name, low, high }) => {
          const place = (percentile: number | undefined) =>
            percentile === undefined ? undefined : limits.get(`${key}|${name}|${percentile}`);
          const [from, to] = [place(low), place(high)];
          const own = { name, low: percentOf(from?.below), high: percentOf(to?.below) };
          return { name, low: from?.value, high: to?.value, own, asked: { low, high } };
        });
        // The table lacks a limit if too few people are beyond it.
        const isMissing = ({ low, high, asked }: (typeof placed)[number]): boolean =>
          (asked.low !== undefined && low === undefined) ||
          (asked.high !== undefined && high === undefined);
        if (placed.some(isMissing)) continue;
        const limited = placed.filter(({ low, high }) => low !== undefined || high !== undefined);
        const observed = Number(row.share);
        joint.push({
          ...{ ...about, size: Number(row.size), observed },
          ...judge(
            limited.map(({ name }) => name),
            limited,
          ),
          ownMarginals: predictedShare(
            limited.map(({ own }) => own),
            (a, b) =>
              us.peopleModel.rho(
                GENDERS.indexOf(gender),
                middleAge,
                us.peopleModel.indexOf(a),
                us.peopleModel.indexOf(b),
              ),
          ),
          chance: meanAbsOf(Math.sqrt((observed * (1 - observed)) / Number(row.n_effective))),
        });
      }
      for (const row of limitRows.filter(inFold)) {
        const quantity = String(row.quantity);
        single.push({
          ...{ ...about, quantity, percentile: Number(row.percentile) },
          observed: Number(row.below),
          ...judge([quantity], [{ low: undefined, high: Number(row.value) }]),
        });
      }
    }
  }
  return { joint, single };
}

import { GENDERS, type Gender } from '../../src/core/genders.js';
import { curveInverse } from '../../src/lookup/quantile-curve.js';
import { PeopleSource } from '../../src/population/people.js';
import { paragraphs, percent, table, three, two } from '../evaluate/markdown.js';
import { groupBy, share } from '../evaluate/metrics.js';
import { type UsPeople, usCohort } from '../evaluate/us-bodies.js';
import { mean } from '../numerics/numbers.js';
import { fractionalRanks } from '../plans/fractional-ranks.js';
import { uniformNumbers } from '../plans/limit-sets.js';
import {
  BINS,
  CELLS,
  countCells,
  HALVES,
  halvesOf,
  PAIRS,
  personPairs,
} from '../plans/person-pairs.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import { readSurvey } from '../raw-tables/surveys.js';

/** How well a classifier tells people apart from the persons of ANSUR I, by two quantities. */
export interface ToldApart {
  readonly gender: Gender;
  readonly a: string;
  readonly b: string;
  /** Area under the ROC curve of ANSUR II against ANSUR I; 0.5 is chance. */
  readonly ansur2: number;
  /** The same of sampled people with the BMI of ANSUR I against ANSUR I. */
  readonly sampled: number;
  /** The same of sampled people of any BMI. */
  readonly sampledAny: number;
}

/** Completed age of the sampled people: soldiers of ANSUR I are 26 to 27 years old on average. */
const AGE = 27;
const PEOPLE_SEED = 1984;
const TIE_SEED = 62;

/**
 * Area under the ROC curve of a score with few values: the probability that one of the first people has a
 * higher score than one of the second, half of it where they are equal (Hanley and McNeil 1982, Radiology
 * 143:29).
 *
 * @param scores score of each cell
 * @param first people in each cell
 * @param second people in each cell
 */
export function areaUnderCurve(
  scores: readonly number[],
  first: readonly number[],
  second: readonly number[],
): number {
  const order = scores.map((_, cell) => cell).sort((x, y) => at(scores, x) - at(scores, y));
  function at(values: readonly number[], cell: number): number {
    return values[cell] as number;
  }
  let [below, sum] = [0, 0];
  for (let i = 0; i < order.length; ) {
    let [equalFirst, equalSecond] = [0, 0];
    const score = at(scores, order[i] as number);
    for (; i < order.length && at(scores, order[i] as number) === score; i++) {
      equalFirst += at(first, order[i] as number);
      equalSecond += at(second, order[i] as number);
    }
    sum += equalFirst * (below + equalSecond / 2);
    below += equalSecond;
  }
  const total = first.reduce((people, count) => people + count, 0);
  return sum / (total * below);
}

/** Counts with some cells taken together as one, the last. */
function withShown(counts: readonly (number | undefined)[], n: number, shown: readonly number[]) {
  const kept = shown.map((cell) => counts[cell] as number);
  return [...kept, n - kept.reduce((sum, count) => sum + count, 0)];
}

/**
 * Cross-validated area under the ROC curve of a classifier by cells. Its score is the logarithm of the
 * ratio of the shares of both samples in the cell (the best score there is, Neyman and Pearson 1933),
 * with half a person added to each count. It learns from one half of each sample and is tested on the
 * other; the area is the mean of both ways.
 *
 * @param first counts of each half of a sample
 * @param second the same of the sample it is told apart from
 */
export function crossValidatedArea(
  first: readonly (readonly number[])[],
  second: readonly (readonly number[])[],
): number {
  const shares = (counts: readonly number[]): number[] => {
    const total = counts.reduce((sum, count) => sum + count + 0.5, 0);
    return counts.map((count) => (count + 0.5) / total);
  };
  let sum = 0;
  for (let learnt = 0; learnt < HALVES; learnt++) {
    const [one, other] = [first[learnt], second[learnt]].map((counts) => shares(counts ?? []));
    const scores = (one ?? []).map((share, cell) => Math.log(share / (other?.[cell] as number)));
    const tested = HALVES - 1 - learnt;
    sum += areaUnderCurve(scores, first[tested] ?? [], second[tested] ?? []);
  }
  return sum / HALVES;
}

/** Reads the counts of a survey by gender, pair and half. */
async function readCounts(
  tables: RawTables,
  source: string,
): Promise<Map<string, { n: number; counts: (number | undefined)[] }>> {
  const rows = await tables.rows(source, 'pair_counts', 'gender, a, b, half');
  return new Map(
    rows.map((row) => {
      const counts = Array.from({ length: CELLS }, (_, cell) => {
        const count = row[`c${cell}`];
        return count === null || count === undefined ? undefined : Number(count);
      });
      return [`${row.gender}|${row.a}|${row.b}|${row.half}`, { n: Number(row.n), counts }];
    }),
  );
}

/** Mean and standard deviation of ln BMI (kg/m²). */
export interface LnBmi {
  readonly mean: number;
  readonly sd: number;
}

/**
 * Probability with which a person is kept, so that the ln BMI of those kept has a given distribution
 * (rejection sampling; von Neumann 1951). BMI of all people is normal in its score; that of those kept is
 * normal in ln BMI, which is nearly so in the score too.
 *
 * @param knots quantile curve of BMI of all people
 * @param wanted distribution of those kept, narrower than that of all
 */
export function keepingOdds(knots: Float64Array, { mean, sd }: LnBmi): (bmi: number) => number {
  const score = (ln: number): number => curveInverse(knots, Math.exp(ln));
  const centre = score(mean);
  const spread = (score(mean + sd) - score(mean - sd)) / 2;
  if (spread >= 1) return () => 1;
  const ratio = (z: number): number => z ** 2 / 2 - ((z - centre) / spread) ** 2 / 2;
  // The ratio of both densities is largest where its derivative is 0.
  const most = ratio(centre / (1 - spread ** 2));
  return (bmi) => Math.exp(ratio(curveInverse(knots, bmi)) - most);
}

/**
 * Ranks of sampled people of one gender in the quantities of the pairs. Lengths are rounded to whole mm
 * and equal ones ordered at random, as those of the surveys.
 *
 * @param lnBmi distribution of ln BMI of the people; undefined for any BMI
 */
function sampledRanks(
  us: UsPeople,
  gender: Gender,
  people: number,
  lnBmi: LnBmi | undefined,
): Map<string, Float64Array> {
  const { bodies, joint } = us;
  const names = [...new Set(personPairs().flat())].sort();
  const indices = names.map((name) => bodies.indexOf(name));
  const columns = names.map(() => [] as number[]);
  const cohort = usCohort(gender, AGE);
  const curves = joint.curves();
  curves.at(cohort);
  const knots = curves.of(bodies.bmi) as Float64Array;
  const odds = lnBmi === undefined ? () => 1 : keepingOdds(knots, lnBmi);
  const source = new PeopleSource(
    joint,
    { cohorts: [cohort], weights: Float64Array.of(1) },
    [],
    PEOPLE_SEED,
  );
  const random = uniformNumbers(TIE_SEED);
  for (let [i, kept] = [0, 0]; kept < people; i++) {
    const { values } = source.person(i);
    if (random() >= odds(values[bodies.bmi] as number)) continue;
    kept += 1;
    indices.forEach((index, column) => {
      columns[column]?.push(Math.round(values[index] as number));
    });
  }
  return new Map(
    names.map((name, i) => [name, fractionalRanks(columns[i] as number[], random)] as const),
  );
}

/**
 * Tells sampled people of the United States, and the persons of ANSUR II, apart from the persons of ANSUR I
 * by their ranks in two quantities. There are as many sampled people as persons of ANSUR II, and they have
 * the BMI of ANSUR I: girths of people whose BMI differs more correlate more. Cells that
 * a survey’s table hides in one of its halves are one cell for all.
 */
export async function scoreToldApart(us: UsPeople, tables: RawTables): Promise<ToldApart[]> {
  const [ansur1, ansur2] = await Promise.all(
    ['ansur1-persons', 'ansur2-persons'].map((source) => readCounts(tables, source)),
  );
  const survey = await readSurvey(tables, 'ansur1');
  const halves = Array.from({ length: HALVES }, (_, half) => half);
  return GENDERS.flatMap((gender) => {
    const rowsOf = (survey: typeof ansur1, a: string, b: string) =>
      halves.map((half) => {
        const row = survey?.get(`${gender}|${a}|${b}|${half}`);
        if (row === undefined) throw new Error(`no counts of ${a} and ${b}`);
        return row;
      });
    const [[a0, b0] = ['', '']] = personPairs();
    const people = rowsOf(ansur2, a0, b0).reduce((sum, { n }) => sum + n, 0);
    const halvesOfPeople = halvesOf(people);
    const bmi = survey.adults(gender).moment('Bmi');
    const [matched, any] = [{ mean: bmi.tMean, sd: bmi.tSd }, undefined].map((lnBmi) =>
      sampledRanks(us, gender, people, lnBmi),
    ) as [Map<string, Float64Array>, Map<string, Float64Array>];
    return personPairs().map(([a, b]): ToldApart => {
      const [of1, of2] = [rowsOf(ansur1, a, b), rowsOf(ansur2, a, b)];
      const shown = Array.from({ length: CELLS }, (_, cell) => cell).filter((cell) =>
        [...of1, ...of2].every(({ counts }) => counts[cell] !== undefined),
      );
      const merged = (rows: typeof of1) => rows.map(({ counts, n }) => withShown(counts, n, shown));
      const areaOf = (ranks: ReadonlyMap<string, Float64Array>): number => {
        const [inA, inB] = [ranks.get(a), ranks.get(b)] as [Float64Array, Float64Array];
        const rows = countCells(inA, inB, halvesOfPeople).map((counts) => {
          return { counts, n: counts.reduce((sum, count) => sum + count, 0) };
        });
        return crossValidatedArea(merged(rows), merged(of1));
      };
      return {
        ...{ gender, a, b },
        ansur2: crossValidatedArea(merged(of2), merged(of1)),
        ...{ sampled: areaOf(matched), sampledAny: areaOf(any) },
      };
    });
  });
}

/** Largest difference of two areas under the ROC curve. */
const ASKED_AREA = 0.03;

/** Areas under the ROC curve of one gender, means over the pairs. */
interface ToldApartSummary {
  readonly gender: string;
  readonly pairs: number;
  readonly ansur2: number;
  readonly sampled: number;
  readonly sampledAny: number;
  /** Share of the pairs by which sampled people are told apart at most 0.03 better than ANSUR II. */
  readonly within: number;
}

/** Areas under the ROC curve by gender. */
export function summariseToldApart(pairs: readonly ToldApart[]): ToldApartSummary[] {
  return groupBy(pairs, ({ gender }) => gender).map(([gender, group]) => ({
    ...{ gender, pairs: group.length },
    ansur2: mean(group.map(({ ansur2 }) => ansur2)),
    sampled: mean(group.map(({ sampled }) => sampled)),
    sampledAny: mean(group.map(({ sampledAny }) => sampledAny)),
    within: share(group, ({ sampled, ansur2 }) => sampled - ansur2 <= ASKED_AREA),
  }));
}

function toldApartTable(toldApart: readonly ToldApart[]): string {
  return table(
    [
      ...['gender', 'pairs', 'ANSUR II', 'sampled people', 'difference'],
      ...[`pairs with at most ${two(ASKED_AREA)}`, 'sampled people of any BMI'],
    ],
    summariseToldApart(toldApart).map((s) => [
      ...[s.gender, String(s.pairs), three(s.ansur2), three(s.sampled)],
      ...[three(s.sampled - s.ansur2), percent(s.within), three(s.sampledAny)],
    ]),
  );
}

/** The pairs by which sampled people are told apart most, and ANSUR II less. */
function worstPairs(toldApart: readonly ToldApart[]): string {
  return [...toldApart]
    .sort((x, y) => y.sampled - y.ansur2 - (x.sampled - x.ansur2))
    .slice(0, 5)
    .map(({ gender, a, b, ansur2, sampled }) => {
      return `${a} and ${b} (${gender}, ${two(sampled)} against ${two(ansur2)})`;
    })
    .join(', ');
}

/** What the study prints. */
export function toldApartSection(pairs: readonly ToldApart[]): string {
  return paragraphs([
    '# Sampled people told apart from soldiers',
    `A classifier learns from the places of people in two quantities to tell two samples apart. Places are ranks within the sample, and equal readings in whole mm are ordered at random, so the marginals do not matter. The classifier counts both samples in ${BINS} × ${BINS} cells and takes the logarithm of the ratio of the shares in a cell as the score. It learns from a random half of each sample and is tested on the other half, both ways; the table has the mean area under the ROC curve (Hanley and McNeil 1982) over ${PAIRS} random pairs of free quantities. 0.5 is chance. The tables have counts of the persons, not the persons (\`pair_counts.csv\`), so a classifier that sees more than two quantities of a person cannot be scored.`,
    toldApartTable(pairs),
    `“ANSUR II” is how well the persons of ANSUR II are told apart from those of ANSUR I. Sampled people are Americans of 27 years, as many as the persons of ANSUR II, kept so that their BMI is distributed as in ANSUR I. The last column has people of any BMI: girths of people whose BMI differs more correlate more, which the classifier sees. The correlations of the artifact rest on both surveys. Sampled people are told apart best by ${worstPairs(pairs)}. EyeScalpDistance is a difference of two readings in both surveys, where its correlation with ShoulderHeight is 0.15 to 0.30; the artifact gives it the smaller spread of a direct measurement, and a correlation of 0.46 to 0.49.`,
  ]);
}

import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import { peopleIndex } from '../../src/lookup/cell.js';
import { PEOPLE_AGES } from '../../src/lookup/format.js';
import { bisected } from '../../src/numerics/numerics.js';
import { ByPopulation, type Rows } from '../raw-tables/by-population.js';

/** Width of the closed age groups of `wpp2022`, in years. */
const GROUP_YEARS = 5;
/** First age of the open group, in completed years. */
const OPEN_AGE = 80;
/** Number of age groups, with the open one. */
const GROUPS = OPEN_AGE / GROUP_YEARS + 1;

/**
 * Yearly death rate at age 100. Rates of countries and decades differ widely at 80 and converge near 100
 * (Thatcher, Kannisto and Vaupel 1998, The Force of Mortality at Ages 80 to 120). There, about a third of
 * women and somewhat more men die within a year.
 */
const RATE_AT_100: Readonly<Record<Gender, number>> = { Male: 0.46, Female: 0.4 };
/** Range of the rise of ln of the death rate per year of age. */
const RISE = [0, 0.3] as const;
/** Steps of the search in this range. Each step halves the range; after the last it is below 1e-9. */
const SEARCH_STEPS = 30;
/** Steps a year of the integrals over age. */
const STEPS = 10;

/**
 * People of the ages from `from` to `to` years, relative to those of exactly 80. The death rate rises
 * exponentially with age (Gompertz 1825): rate(x) = rate(100) × exp(rise × (x − 100)).
 */
function gompertzPeople(rateAt100: number, rise: number, from: number, to: number): number {
  const rate80 = rateAt100 * Math.exp(-20 * rise);
  let sum = 0;
  for (let i = 0; i < (to - from) * STEPS; i++) {
    const years = from + (i + 0.5) / STEPS - OPEN_AGE;
    const lost = rise === 0 ? rate80 * years : (rate80 / rise) * Math.expm1(rise * years);
    sum += Math.exp(-lost) / STEPS;
  }
  return sum;
}

/**
 * Shares of the open group by single year from 80 to 120. The rise of the death rate is chosen so that the
 * ratio of the open group to the group below is met. So the shape follows the country's own mortality and
 * the sizes of its cohorts.
 */
function openShares(gender: Gender, below: number, open: number): number[] {
  const rate = RATE_AT_100[gender];
  // A slower death rate at 80 makes the open group larger.
  const rise = bisected(RISE, SEARCH_STEPS, (tried) => {
    const ratio =
      gompertzPeople(rate, tried, OPEN_AGE, PEOPLE_AGES) /
      gompertzPeople(rate, tried, OPEN_AGE - GROUP_YEARS, OPEN_AGE);
    return ratio * below < open;
  });
  const people = Array.from({ length: PEOPLE_AGES - OPEN_AGE }, (_, i) =>
    gompertzPeople(rate, rise, OPEN_AGE + i, OPEN_AGE + i + 1),
  );
  const total = people.reduce((sum, count) => sum + count, 0);
  return people.map((count) => count / total);
}

/**
 * Slopes at the knots of a monotone cubic through rising points (Fritsch and Carlson 1980, SIAM J. Numer.
 * Anal. 17:238). A slope is that of the parabola through three neighbours. It is made smaller where the
 * curve would fall.
 */
function monotoneSlopes(xs: readonly number[], ys: readonly number[]): number[] {
  const last = xs.length - 1;
  const width = (i: number) => xs[i + 1] - xs[i];
  const chord = (i: number) => (ys[i + 1] - ys[i]) / width(i);
  // Slopes of the parabola through three points. The first and the last knot are at its ends.
  const slopes = xs.map((_, i) => {
    const a = Math.min(Math.max(i - 1, 0), last - 2);
    const [first, second] = [chord(a), chord(a + 1)];
    const bend = (second - first) / (width(a) + width(a + 1));
    if (i === 0) return Math.max(0, first - bend * width(0));
    if (i === last) return Math.max(0, second + bend * width(last - 1));
    return first + bend * width(a);
  });
  for (let i = 0; i < last; i++) {
    const rise = chord(i);
    if (rise === 0) {
      slopes[i] = 0;
      slopes[i + 1] = 0;
      continue;
    }
    const [alpha, beta] = [slopes[i] / rise, slopes[i + 1] / rise];
    const radius = Math.hypot(alpha, beta);
    if (radius <= 3) continue;
    slopes[i] = (3 * alpha * rise) / radius;
    slopes[i + 1] = (3 * beta * rise) / radius;
  }
  return slopes;
}

/**
 * Spreads the people of 17 age groups (0–4, 5–9 … 75–79, 80 and older) to completed years 0 to 120, in
 * whole persons. The number of people younger than an age is a monotone cubic of the age. So no count is
 * negative, and the years of a group sum to the group exactly. The open group follows `openShares`.
 *
 * @param groups persons of each group, whole numbers
 * @throws Error for another number of groups
 */
export function singleYears(groups: readonly number[], gender: Gender): number[] {
  if (groups.length !== GROUPS) throw new Error(`${groups.length} age groups, not ${GROUPS}`);
  const open = groups[GROUPS - 1];
  const shares = openShares(gender, groups[GROUPS - 2], open);
  const xs = [0];
  const ys = [0];
  const add = (years: number, people: number) => {
    xs.push((xs.at(-1) as number) + years);
    ys.push((ys.at(-1) as number) + people);
  };
  for (const people of groups.slice(0, -1)) add(GROUP_YEARS, people);
  for (const share of shares) add(1, share * open);
  const slopes = monotoneSlopes(xs, ys);
  const younger = (age: number): number => {
    const i = age >= OPEN_AGE ? GROUPS - 1 + (age - OPEN_AGE) : Math.floor(age / GROUP_YEARS);
    const [from, to] = [ys[i], ys[i + 1] ?? 0];
    const x = xs[i];
    if (x === age) return from;
    const width = xs[i + 1] - x;
    const u = (age - x) / width;
    const [start, end] = [slopes[i] * width, slopes[i + 1] * width];
    const bend = start + end - 2 * (to - from);
    return from + u * (start + u * (3 * (to - from) - 2 * start - end + u * bend));
  };
  // The sums are rounded instead of the counts, so that the groups keep their totals.
  const sums = Array.from({ length: PEOPLE_AGES + 1 }, (_, age) => Math.round(younger(age)));
  return sums.slice(1).map((sum, age) => sum - sums[age]);
}

/**
 * Persons of each country, gender and completed year of age in 2022, by `peopleIndex`.
 *
 * @param rows the table of the source `wpp2022`
 * @throws Error when a group is missing
 */
export function headCounts(rows: Rows): Float32Array {
  const groups = ByPopulation.of(rows, (own) => own.map(({ persons }) => Number(persons)));
  const people = new Float32Array(peopleIndex(COUNTRY_CODES.length, 0, 0));
  COUNTRY_CODES.forEach((country, c) => {
    GENDERS.forEach((gender, g) => {
      const ofCountry = groups.known(gender, country, 'wpp2022');
      people.set(singleYears(ofCountry, gender), peopleIndex(c, g, 0));
    });
  });
  return people;
}

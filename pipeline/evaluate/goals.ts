import { CASES, CASES_PERCENT } from './boundary-calls.js';
import { percent, table, three } from './markdown.js';
import type { AccuracySummary } from './summary.js';

type Figure = {
  [K in keyof AccuracySummary]: AccuracySummary[K] extends number ? K : never;
}[keyof AccuracySummary];

/** A goal: what is measured, the name of its figure, its bounds (undefined: none), and its unit. */
type Goal = readonly [
  what: string,
  figure: Figure,
  low: number | undefined,
  high: number | undefined,
  unit: Unit,
];
type Unit = '%' | 'SD' | 'mm' | 'points' | '';

const NONE = undefined;
/** Bounds of the share inside a 90 % interval. */
const INSIDE_GOAL = [0.87, 0.93] as const;
const CALLED = `designs for ${CASES_PERCENT} % wrongly passed by ${CASES} boundary cases`;

/** The goals beside those of intervals, which the table of served surveys shows. Goals that say "fitted" are in-sample. */
// biome-ignore format: one goal per line reads as a table
const GOALS: readonly Goal[] = [
  ['mean error of left-out surveys: grade A', 'gradeAAbs', NONE, 0.2, 'SD'],
  ['mean error of left-out surveys: grade B', 'gradeBAbs', NONE, 0.3, 'SD'],
  ['mean error of left-out surveys: grade C', 'gradeCAbs', NONE, 0.45, 'SD'],
  ['means of national studies, given stature and BMI, families left out', 'givenDriversExact', NONE, 0.31, 'SD'],
  ['the same means, countries left out', 'givenDriversExactByCountryFolds', NONE, 0.335, 'SD'],
  ['error of these means ÷ that of scaling by stature', 'givenDriversOverScaling', NONE, 0.45, ''],
  ['P5 of national studies', 'p5Exact', NONE, 0.39, 'SD'],
  ['P95 of national studies', 'p95Exact', NONE, 0.39, 'SD'],
  ['shares of stunted children, surveys left out: error', 'stuntingPoints', NONE, 4, 'points'],
  ['bias of shares of stunted boys', 'stuntingBoysBiasPoints', -1.5, 1.5, 'points'],
  ['bias of shares of stunted girls', 'stuntingGirlsBiasPoints', -1.5, 1.5, 'points'],
  ['SD of stature at exact ages, 1 to 5 years, within 5 %', 'exactAgeSdWithin', 1, NONE, '%'],
  ['NHANES (fitted): medians within 0.05 SD', 'nhanesMedianWithin', 1, NONE, '%'],
  ['NHANES: P5 and P95 within 0.10 SD', 'nhanesTailsWithin', 1, NONE, '%'],
  ['NHANES: P0.5 and P99.5 of age bands within 0.25 SD', 'nhanesOutermostWithin', 0.9, NONE, '%'],
  ['P95 of children’s girths, largest error', 'childGirthP95Largest', NONE, 0.15, 'SD'],
  ['Snyder’s children (fitted) within 0.10 SD', 'snyderWithin', 1, NONE, '%'],
  ['sums within 0.05 SD of their whole', 'sumsWithin', 1, NONE, '%'],
  ['stature of women, samples left out: bias', 'womenBiasMm', -3, 3, 'mm'],
  ['shares of BMI (fitted) inside NCD-RisC’s 95 % intervals', 'bmiSharesWithin', 0.95, NONE, '%'],
  ['shares of thin adults by age (fitted): error', 'thinByAgePoints', NONE, 1, 'points'],
  ['known figures of countries within tolerance', 'nationalWithin', 1, NONE, '%'],
  ['countries where projections beat no change', 'yearsBetter', 2 / 3, NONE, '%'],
  ['persons within 5 limits: mean error', 'jointShare5Points', NONE, 0.5, 'points'],
  ['persons within 5 limits: 95th percentile of errors', 'jointShare5P95Points', NONE, 2, 'points'],
  ['persons within 8 limits: mean error', 'jointShare8Points', NONE, 0.8, 'points'],
  ['persons within 8 limits: 95th percentile of errors', 'jointShare8P95Points', NONE, 2, 'points'],
  ['persons within 12 limits: mean error', 'jointShare12Points', NONE, 1, 'points'],
  ['persons within 12 limits: 95th percentile of errors', 'jointShare12P95Points', NONE, 2, 'points'],
  ['ranges designed for 95 % that hold 94 to 96 %', 'designedRangesWithin', 1, NONE, '%'],
  ['persons completed from two quantities: error', 'completedGivenTwoAbs', NONE, 0.52, 'SD'],
  ['persons completed from eight: error', 'completedGivenEightAbs', NONE, 0.4, 'SD'],
  ['completed persons inside 90 % ranges', 'completedGivenEightCovered90', 0.89, 0.91, '%'],
  ['dimensions whose ranges hold 86 to 94 % of completed persons', 'completedGivenEightDimensionsWithin', 0.9, NONE, '%'],
  [CALLED, 'caseCallsWrong', NONE, 0.01, '%'],
  ['designs with wider limits wrongly passed', 'caseCallsWrongWider', NONE, 0.01, '%'],
  ['people of ANSUR I inside 80 % conditional ranges', 'coverage80', 0.78, 0.82, '%'],
  ['people of ANSUR I inside 90 % conditional ranges', 'coverage90', 0.88, 0.92, '%'],
  ['people of ANSUR I inside 95 % conditional ranges', 'coverage95', 0.93, 0.97, '%'],
];

function isMet(value: number, [, , low = -Infinity, high = Infinity]: Goal): boolean {
  return value >= low && value <= high;
}

/** The bounds of a goal with their unit. A share is written in percent. */
function asked([, , low, high, unit]: Goal): string {
  const number = (value = 0) => String(unit === '%' ? Number((100 * value).toFixed(1)) : value);
  if (low === 1 && unit === '%') return 'all';
  if (low === undefined) return `≤ ${number(high)} ${unit}`.trim();
  if (high === undefined) return `≥ ${number(low)} ${unit}`;
  return low === -high ? `± ${number(high)} ${unit}` : `${number(low)} to ${number(high)} ${unit}`;
}

function reached(value: number, unit: Unit): string {
  // A share just below all does not read as all.
  if (unit === '%')
    return value < 1 && value > 0.9995 ? `${(100 * value).toFixed(2)} %` : percent(value);
  return Number.isInteger(value) ? String(value) : three(value);
}

/** What the goal asks of the share inside an interval, such as `87 to 93 %`. */
export const INSIDE_ASKED = `${INSIDE_GOAL.map((share) => 100 * share).join(' to ')} %`;

/** The share inside a 90 % interval, as shown, and whether the interval is too wide or too narrow for the goal. */
export function insideText(share: number): string {
  const shown = Number(share.toFixed(3));
  const mark = shown > INSIDE_GOAL[1] ? ' wide' : shown < INSIDE_GOAL[0] ? ' narrow' : '';
  return `${percent(share)}${mark}`;
}

/** Number of goals that are met beside those of intervals, and a table of the missed ones. */
export function goalsText(figures: AccuracySummary): string {
  // An empty grade is not scored.
  const scored = GOALS.filter(([, figure]) => figures[figure] !== null);
  const missed = scored.filter((goal) => !isMet(figures[goal[1]], goal));
  const rows = missed.map((goal) => {
    const [what, figure, , , unit] = goal;
    return [what, asked(goal), reached(figures[figure], unit)];
  });
  const met = `Beside the goals of [intervals](#what-a-user-is-served), the model meets ${scored.length - missed.length} of ${scored.length} goals. It misses these:`;
  return `${met}\n\n${table(['figure', 'goal', 'reached'], rows)}`;
}

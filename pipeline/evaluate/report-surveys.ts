import { mean } from '../numerics/numbers.js';
import type { AnsurError } from './ansur-cross.js';
import { paragraphs, percent, table, two } from './markdown.js';
import { groupBy, share } from './metrics.js';
import { outermostSection } from './outermost.js';
import type { SnyderError } from './snyder.js';
import { NHANES_PERCENTILES, type NhanesError } from './us-nhanes.js';

const absolute = (values: readonly number[]): number => mean(values.map(Math.abs));

/** Ages of NHANES in the report: children by school age, adults by twenty years. */
const AGE_BANDS = [
  ['2–5', 2, 6],
  ['6–11', 6, 12],
  ['12–19', 12, 20],
  ['20–39', 20, 40],
  ['40–59', 40, 60],
  ['60–79', 60, 80],
  ['80+', 80, 200],
] as const;

function nhanesRows(errors: readonly NhanesError[]): string[][] {
  return AGE_BANDS.flatMap(([label, from, to]) => {
    const band = errors.filter(({ ageYears }) => ageYears >= from && ageYears < to);
    const [first] = band;
    if (first === undefined) return [];
    const cells = ([5, 50, 95] as const).flatMap((percentile) => {
      const at = band.filter((error) => error.percentile === percentile);
      const biggest = Math.max(...at.map(({ errorSd }) => Math.abs(errorSd)));
      const within = at.filter((error) => error.within).length;
      const signed = mean(at.map(({ errorSd }) => errorSd));
      return [two(signed), two(biggest), `${within}/${at.length}`];
    });
    return [[first.measurement, label, ...cells]];
  });
}

/** By dimension: mean absolute error at each percentile over all groups, and the groups within. */
function nhanesOverview(errors: readonly NhanesError[]): string {
  const rows = groupBy(errors, ({ measurement, status }) => `${measurement}|${status}`).map(
    ([key, group]) => [
      ...key.split('|'),
      ...NHANES_PERCENTILES.flatMap((percentile) => {
        const at = group.filter((error) => error.percentile === percentile);
        const within = at.filter((error) => error.within).length;
        return [two(absolute(at.map(({ errorSd }) => errorSd))), `${within}/${at.length}`];
      }),
    ],
  );
  const heads = NHANES_PERCENTILES.flatMap((percentile) => [`P${percentile}`, 'within']);
  return table(['dimension', 'status', ...heads], rows);
}

/** The section on the model's United States against NHANES 2011–2023. */
export function nhanesSection(errors: readonly NhanesError[]): string {
  const fitted = errors.filter(({ status }) => status === 'fitted');
  const rows = groupBy(fitted, ({ measurement }) => measurement).flatMap(([, group]) =>
    nhanesRows(group),
  );
  return paragraphs([
    '## United States against NHANES 2011–2023',
    'The model’s United States, with predicted drivers, at the mean age of each NHANES group: every year of childhood from 2, five-year groups of adults. Errors are in the group’s SD. “Within” means within 0.05 SD at the median and 0.10 SD in the tails, or within two standard errors of a simple random sample if that is more.',
    '_Fitted_ dimensions are the model’s answers. The model is fitted to the same survey, so these errors are in-sample and show the cost of smoothing over age. _Left out_ is the same dimension from a model that has not seen it in NHANES: it uses the military surveys and carries them over to civilians with NHANES’ other girths. Calf and thigh were last measured in 2006 and are compared at the stature and BMI of 1999–2006. The lying sagittal depth and the arm length along the back of the arm have other definitions than the dimensions they are compared with. From the sagittal depth the model takes the shape over age, not the level.',
    nhanesOverview(errors),
    '### Fitted dimensions by age: mean error, largest error, groups within',
    table(
      [
        ...['dimension', 'ages', 'P5', 'largest', 'within', 'median', 'largest'],
        ...['within', 'P95', 'largest', 'within'],
      ],
      rows,
    ),
    outermostSection(errors),
    '![Medians of men](accuracy/nhanes-male.svg)',
    '![Medians of women](accuracy/nhanes-female.svg)',
  ]);
}

/** The section on ANSUR I predicted from fits to ANSUR II. */
export function ansurSection(errors: readonly AnsurError[]): string {
  const rows = groupBy(errors, ({ measurement }) => measurement).map(([name, group]) => [
    name,
    ...(['Male', 'Female'] as const).flatMap((gender) => {
      const found = group.find((error) => error.gender === gender);
      return found === undefined
        ? ['', '', '', '']
        : [found.mean, found.p5, found.p95, found.sdRatio].map(two);
    }),
  ]);
  const all = [
    '**mean absolute**',
    ...(['Male', 'Female'] as const).flatMap((gender) => {
      const of = errors.filter((error) => error.gender === gender);
      const picks = [
        (e: AnsurError) => e.mean,
        (e: AnsurError) => e.p5,
        (e: AnsurError) => e.p95,
      ].map((pick) => two(absolute(of.map(pick))));
      return [...picks, two(mean(of.map(({ sdRatio }) => sdRatio)))];
    }),
  ];
  return paragraphs([
    '## ANSUR I (1988) predicted from ANSUR II (2012)',
    'The dimensions that both surveys measured at the same landmarks and that the model fits to ANSUR II only, given the stature, BMI and ages of ANSUR I. Errors of mean, P5 and P95 are in ANSUR I’s SD; the SD ratio is predicted ÷ observed. The remaining error comes from 24 years, other measurers and other instruments; two surveys of the same people differ by about as much.',
    table(
      [
        ...['dimension', 'men: mean', 'P5', 'P95', 'SD ratio'],
        ...['women: mean', 'P5', 'P95', 'SD ratio'],
      ],
      [...rows, all],
    ),
    `The mean absolute errors of P1 and P99 are ${two(absolute(errors.map(({ p1 }) => p1)))} and ${two(absolute(errors.map(({ p99 }) => p99)))} SD.`,
  ]);
}

function snyderStatus(group: readonly SnyderError[]): string {
  const [{ inSample, ofNhanes, redefined }] = group as [SnyderError];
  if (ofNhanes) return 'NHANES';
  if (redefined) {
    const constants = (['Male', 'Female'] as const).map((gender) =>
      two(mean(group.filter((e) => e.gender === gender).map(({ constantSd }) => constantSd))),
    );
    return `other definition, ${constants.join(' and ')} SD subtracted`;
  }
  return inSample ? 'in-sample' : 'unseen';
}

/** The section on children's proportions against Snyder 1977. */
export function snyderSection(errors: readonly SnyderError[]): string {
  const rows = groupBy(errors, ({ measurement }) => measurement).map(([name, group]) => {
    const leftOut = group.flatMap(({ leftOutSd }) => (leftOutSd === undefined ? [] : [leftOutSd]));
    const worst = group.reduce((a, b) => (Math.abs(b.errorSd) > Math.abs(a.errorSd) ? b : a));
    const band = (from: number, to: number): string => {
      const of = group.filter(({ age }) => age >= from && age <= to);
      return of.length === 0 ? '' : two(absolute(of.map(({ errorSd }) => errorSd)));
    };
    return [
      name,
      snyderStatus(group),
      ...[band(2, 5), band(6, 11), band(12, 15), band(16, 19)],
      two(absolute(group.map(({ errorSd }) => errorSd))),
      `${two(worst.errorSd)} (${worst.gender === 'Male' ? 'boys' : 'girls'}, ${worst.age})`,
      leftOut.length === 0 ? '' : two(absolute(leftOut)),
      `${group.filter(({ within }) => within).length}/${group.length}`,
      two(mean(group.map(({ p5Sd }) => p5Sd))),
      two(mean(group.map(({ p50Sd }) => p50Sd))),
      two(mean(group.map(({ p95Sd }) => p95Sd))),
    ];
  });
  const medians = share(errors, ({ p50Within }) => p50Within);
  const own = share(
    errors.filter(({ ofNhanes }) => !ofNhanes),
    ({ within }) => within,
  );
  const out = errors.filter(({ within, ofNhanes }) => !within && !ofNhanes);
  const nearGrown = share(out, ({ age }) => age >= 16);
  return paragraphs([
    '## Children’s proportions against Snyder 1977',
    'This section scores the whole model for people with the stature and BMI of Snyder’s children (above 18 years: of his oldest). The errors are those of the mean of ln D, averaged over ± 1 year, in the survey’s SD. Where a third of the children was measured, the stature, BMI and age are those of that third. Dimensions with the status in-sample are fitted to the survey. “A year left out” is the error of the survey fit at ages it had not seen, without the join to the adult model. Dimensions of another definition differ by a constant (one for boys, one for girls), which is subtracted. The same applies to dimensions that grow as a similar dimension of the survey; `docs/model.md` gives the reasons.',
    `${percent(share(errors, ({ within }) => within))} of the ages are within 0.10 SD or two standard errors. Of the dimensions that do not come from NHANES it is ${percent(own)}: NHANES’ children of today have larger girths than Snyder’s at equal stature and BMI. Of the ages outside the tolerance in these dimensions, ${percent(nearGrown)} are 16 to 19 years, where the step to the adult surveys is taken up and no bone may shrink. Medians and percentiles are read in whole mm (finger widths: in steps of a gauge), which is coarse for dimensions with a small SD: ${percent(medians)} of the medians are within 0.10 SD or two of their own standard errors. The last columns are the mean errors of the percentiles.`,
    '![Snyder by age](accuracy/snyder-by-age.svg)',
    table(
      [
        ...['dimension', 'status', '2–5', '6–11', '12–15', '16–19', 'all', 'worst'],
        ...['a year left out', 'within', 'P5', 'P50', 'P95'],
      ],
      rows,
    ),
  ]);
}

import type { Comparison } from './compare.js';
import { JUMP, MOVED_SD, type Movements } from './comparison.js';

/** Maximum number of rows in the tables of dimensions and countries. The JSON has all rows. */
const LONGEST = 25;

/** The comparison as Markdown, which is also readable on a terminal. */
export function compareMarkdown(comparison: Comparison): string {
  const { before, after, jumps, cells, cellsMoved } = comparison;
  const head = [
    `# ${before.version} → ${after.version}`,
    `${cellsMoved} of ${cells} cells (dimension, gender, country, age) moved by ${MOVED_SD} SD or more. SD is the standard deviation of the dimension in its population, in the older version.`,
    ...inputs(comparison),
  ];
  if (comparison.largest.length + jumps.length + comparison.allowances.length === 0) {
    const same = comparison.correlations.meanAbs === 0;
    if (same) return `${[...head, 'No number differs.'].join('\n\n')}\n`;
  }
  return `${[
    ...head,
    ...changedData(comparison),
    '## Jumps',
    jumpText(comparison),
    '## Movements',
    'Means over cells of the signed movements, and of their absolute values (distances).',
    table(MOVEMENT_HEAD('percentile'), overallRows(comparison)),
    ...section('By dimension', 'dimension', comparison.byDimension, (entry) => [
      `${entry.measurement} ${entry.gender}`,
    ]),
    ...section('By country', 'country', comparison.byCountry, ({ country }) => [country]),
    ...section(
      'By age',
      'age, years',
      comparison.byAge,
      ({ ageYears }) => [String(ageYears)],
      comparison.byAge.length,
    ),
    ...largest(comparison),
    ...correlations(comparison),
    ...allowances(comparison),
  ].join('\n\n')}\n`;
}

// Adding 0 turns −0 into 0.
const sd = (value: number): string => (Math.round(value * 1000) / 1000 + 0).toFixed(3);
const mm = (value: number): string => (Math.round(value * 10) / 10 + 0).toFixed(1);
const isMoved = (entry: Movements): boolean =>
  Math.max(entry.p5.maxAbsSd, entry.p50.maxAbsSd, entry.p95.maxAbsSd) > 0;

function inputs({ sources, before, after }: Comparison): string[] {
  const lines = Object.entries(sources).flatMap(([how, names]) =>
    names.length === 0 ? [] : [`- sources ${how}: ${names.join(', ')}`],
  );
  for (const loss of after.losses) lines.push(`- left out now: ${loss}`);
  for (const loss of before.losses) lines.push(`- left out before: ${loss}`);
  if (before.referenceYear !== after.referenceYear) {
    lines.push(`- reference year ${before.referenceYear}, now ${after.referenceYear}`);
  }
  if (lines.length === 0) lines.push('- sources: the same');
  return [lines.join('\n')];
}

/** The surveys that changed, and the movements of the countries and dimensions that they measured. */
function changedData({ surveys, byCountry, byDimension }: Comparison): string[] {
  if (surveys.length === 0) return [];
  const countries = new Set(surveys.map(({ country }) => country));
  const measurements = new Set(surveys.flatMap((survey) => survey.measurements));
  const rows = surveys.map(({ how, name, country, year, measurements: all }) => [
    ...[name, country, String(year), how, String(all.length)],
    all.length > NAMED_MAX ? `${all.slice(0, NAMED_MAX).join(', ')} …` : all.join(', '),
  ]);
  const head = ['survey', 'country', 'year', 'how', 'number', 'dimensions'];
  return [
    '## Data that changed',
    table(head, rows),
    ...section(
      'Countries whose data changed',
      'country',
      byCountry.filter(({ country }) => countries.has(country)),
      ({ country }) => [country],
    ),
    ...section(
      'Dimensions whose data changed',
      'dimension',
      byDimension.filter(({ names }) => names.some((name) => measurements.has(name))),
      (entry) => [`${entry.measurement} ${entry.gender}`],
    ),
  ];
}

/** Dimensions of a survey that are named. */
const NAMED_MAX = 5;

function jumpText({ jumps }: Comparison): string {
  const rules = `A jump is: a cell’s median moved by more than ${JUMP.medianSd} SD, its P5 or P95 by more than ${JUMP.tailSd} SD; a step between ages that differs from its neighbours by ${JUMP.stepSd} SD more than before; a model that appeared or vanished; a correlation moved by more than ${JUMP.correlation}, an allowance by more than ${JUMP.allowanceMm} mm.`;
  if (jumps.length === 0) return `None. ${rules}`;
  const rows = jumps.map(({ rule, what, count, detail }) => [rule, what, String(count), detail]);
  return `${rules}\n\n${table(['rule', 'where', 'count', 'worst'], rows)}`;
}

const MOVEMENT_HEAD = (first: string) => [
  first,
  'mean, SD',
  'mean distance, SD',
  'mean distance, mm',
  'most, SD',
];

function overallRows({ overall }: Comparison): string[][] {
  return Object.entries(overall).map(([key, { meanSd, meanAbsSd, meanAbsMm, maxAbsSd }]) => [
    ...[key.toUpperCase(), sd(meanSd), sd(meanAbsSd), mm(meanAbsMm), sd(maxAbsSd)],
  ]);
}

function section<Entry extends Movements>(
  title: string,
  first: string,
  entries: readonly Entry[],
  label: (entry: Entry) => string[],
  longest = LONGEST,
): string[] {
  const moved = entries.filter(isMoved);
  if (moved.length === 0) return [];
  const rows = moved.slice(0, longest).map((entry) => {
    const { p5, p50, p95 } = entry;
    const means = [sd(p50.meanSd), sd(p50.meanAbsSd), mm(p50.meanAbsMm), sd(p50.maxAbsSd)];
    return [...label(entry), ...means, sd(p5.meanAbsSd), sd(p95.meanAbsSd)];
  });
  const more = moved.length - rows.length;
  const head = [first, 'median, SD', 'distance, SD', 'in mm', 'most, SD', 'P5, SD', 'P95, SD'];
  const rest = more > 0 ? [`${more} more moved less; the JSON lists all.`] : [];
  return [`## ${title}`, table(head, rows), ...rest];
}

function largest({ largest: cells }: Comparison): string[] {
  if (cells.length === 0) return [];
  const rows = cells.map((cell) => [
    `${cell.measurement} ${cell.gender}`,
    cell.country,
    String(cell.ageYears),
    mm(cell.beforeMm),
    mm(cell.afterMm),
    sd(cell.sd),
  ]);
  const head = ['dimension', 'country', 'age', 'before, mm', 'after, mm', 'SD'];
  return ['## Medians that moved farthest, one for each dimension', table(head, rows)];
}

function correlations({ correlations: { pairs, meanAbs, largest } }: Comparison): string[] {
  const text = `${pairs} pairs; mean distance ${meanAbs.toFixed(4)}.`;
  if (largest.length === 0) return ['## Correlations', text];
  const rows = largest.map(({ gender, ageYears, anchor, linked, before, after }) => [
    ...[`${anchor}, ${linked}`, gender, String(ageYears), before.toFixed(2), after.toFixed(2)],
  ]);
  return ['## Correlations', text, table(['pair', 'gender', 'age', 'before', 'after'], rows)];
}

function allowances({ allowances: moved }: Comparison): string[] {
  if (moved.length === 0) return [];
  const rows = moved
    .slice(0, LONGEST)
    .map((one) => [
      ...[`${one.measurement} ${one.gender}`, one.profile, one.what],
      ...[mm(one.beforeMm), mm(one.afterMm)],
    ]);
  const text = `${moved.length} allowances of clothing and posture changed.`;
  const head = ['dimension', 'profile', 'what', 'before, mm', 'after, mm'];
  return ['## Allowances', text, table(head, rows)];
}

/** A Markdown table with padded columns. Numbers are aligned to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) =>
    Math.max(cell.length, 3, ...rows.map((row) => row[i].length)),
  );
  const isNumber = head.map((_, i) => rows.every((row) => /^[-−\d.]*$/.test(row[i])));
  const line = (cells: readonly string[]) =>
    `| ${cells
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join(' | ')} |`;
  const rule = widths.map((width, i) =>
    isNumber[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

import type { CountryCode } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { type Bounds, boundsAt, type Figure, RULES, type Rule } from './anatomy-rules.js';
import { type Bodies, type Body, CHECKED_YEARS } from './anatomy-sweep.js';
import { paragraphs, table } from './markdown.js';

/** A figure outside its bounds. */
export interface Breach {
  /** Country, gender, age, and the dimension where the rule has many. */
  readonly who: string;
  readonly value: number;
  readonly bound: number;
}

/** The breaches of one rule. */
export interface AnatomyScore {
  readonly rule: string;
  readonly bounds: string;
  readonly source: string;
  readonly figures: number;
  readonly breaches: number;
  /** The farthest outside, each of another dimension. */
  readonly worst: readonly Breach[];
}

/** Country whose proportions the others are compared with. */
const HOME: CountryCode = 'US';
/** Figures of a rule that are kept, and shown on the page. */
const [WORST, SHOWN] = [3, 1];

interface Checked extends Figure {
  readonly who: string;
  readonly ageYears: number;
}

function figuresOf(value: number | readonly Figure[]): readonly Figure[] {
  return typeof value === 'number' ? [{ value }] : value;
}

/** Every figure of a rule in one country. */
function checked(rule: Rule, bodies: Bodies, home: Bodies): Checked[] {
  const said = (value: number | readonly Figure[], body: Body, gender: string): Checked[] =>
    figuresOf(value).map((figure) => ({
      ...figure,
      ageYears: body.ageYears,
      who: `${body.country}${gender} ${body.ageYears}`,
    }));
  if (rule.kind === 'genders') {
    return bodies.Male.flatMap((boys, i) => said(rule.of(boys, bodies.Female[i]), boys, ''));
  }
  const genders = rule.gender === undefined ? GENDERS : [rule.gender];
  return genders.flatMap((gender) => {
    const series = bodies[gender];
    const letter = gender === 'Male' ? ' m' : ' f';
    if (rule.kind === 'body') {
      return series.flatMap((body, i) =>
        rule.ages?.includes(body.ageYears) === false
          ? []
          : said(rule.of(body, home[gender][i]), body, letter),
      );
    }
    const [from, to] = rule.ages ?? [];
    return series.flatMap((body, i) => {
      const next = rule.ages === undefined ? series[i + 1] : series.find((b) => b.ageYears === to);
      const starts =
        rule.ages === undefined ? next?.ageYears === body.ageYears + 1 : body.ageYears === from;
      return starts && next !== undefined ? said(rule.of(body, next), body, letter) : [];
    });
  });
}

function textOf(bounds: Bounds): string {
  return bounds.map(([age, low, high]) => `${age}: ${low} to ${high}`).join('; ');
}

/** Checks one rule in all countries. */
function score(rule: Rule, all: ReadonlyMap<CountryCode, Bodies>): AnatomyScore {
  const [first = 0, last = first] = [rule.bounds[0][0], rule.bounds.at(-1)?.[0]];
  const home = all.get(HOME);
  if (home === undefined) throw new Error(`the sweep has no ${HOME}`);
  let figures = 0;
  const breaches: (Breach & { readonly note: string; readonly off: number })[] = [];
  for (const bodies of all.values()) {
    for (const { value, who, note = '', ageYears } of checked(rule, bodies, home)) {
      if (ageYears < first || ageYears > last || Number.isNaN(value)) continue;
      figures++;
      const [low, high] = boundsAt(rule.bounds, ageYears);
      if (value >= low && value <= high) continue;
      const bound = value < low ? low : high;
      const off = Math.abs(value - bound);
      breaches.push({ who: note === '' ? who : `${who} ${note}`, note, value, bound, off });
    }
  }
  breaches.sort((a, b) => b.off - a.off);
  const worst: Breach[] = [];
  const seen = new Set<string>();
  for (const { who, value, bound, note } of breaches) {
    if (worst.length === WORST || (note !== '' && seen.has(note))) continue;
    seen.add(note);
    worst.push({ who, value, bound });
  }
  const { name, source } = rule;
  return {
    rule: name,
    bounds: textOf(rule.bounds),
    source,
    figures,
    breaches: breaches.length,
    worst,
  };
}

/** Checks the middle bodies of every country, gender and age against published bounds. */
export function scoreAnatomy(bodies: ReadonlyMap<CountryCode, Bodies>): AnatomyScore[] {
  return RULES.map((rule) => score(rule, bodies));
}

/** Why breaches remain, by rule. */
const REASONS = new Map(RULES.map(({ name, remains = '' }) => [name, remains]));

/** A value with as many decimals as its size needs. */
const shown = (value: number): string => value.toFixed(Math.abs(value) < 10 ? 3 : 1);

/** The text of `docs/anatomy.md`. */
export function anatomyPage(scores: readonly AnatomyScore[]): string {
  const sum = (pick: (score: AnatomyScore) => number) =>
    scores.reduce((total, score) => total + pick(score), 0);
  const breached = scores.filter(({ breaches }) => breaches > 0);
  const worst = breached.map(({ rule, worst }) => [
    rule,
    worst
      .slice(0, SHOWN)
      .map(({ who, value, bound }) => `${who}: ${shown(value)} (${shown(bound)})`)
      .join('; '),
    REASONS.get(rule) ?? '',
  ]);
  const parts = [
    '# What an anatomist would doubt',
    '<!-- team: begin -->',
    'Written by `npm run evaluate`; do not edit. `pipeline/evaluate/anatomy-rules.json` and `accuracy.json` of a release have every rule with its bounds and sources.',
    '<!-- team: end -->',
    `The medians of every country and both genders at ${CHECKED_YEARS.length} ages from birth to 99 years, and for parts of the body other percentiles at some of them, are compared with published bounds. ${sum(({ breaches }) => breaches)} of ${sum(({ figures }) => figures)} figures of ${scores.length} rules are outside their bounds.`,
    ...(worst.length === 0
      ? []
      : [
          'The figures farthest outside, with the bound in brackets (m: male, f: female):',
          table(['figure', 'farthest', 'why it remains'], worst),
        ]),
  ];
  return `${paragraphs(parts)}\n`;
}

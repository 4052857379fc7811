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
const REASONS: Readonly<Record<string, string>> = {
  'head girth ÷ stature':
    'The heads of small children follow WHO 2006, and boys of these countries are the most stunted: 0.2 % above the bound.',
  'crotch height ÷ stature':
    'Japanese girls of 10 years sit the highest of all (School Health Statistics of Japan): at the bound.',
  'span ÷ stature':
    'The only survey of the country (popovic2017) has short spans of women; girls before 19 years follow it.',
  'waist girth ÷ hip girth':
    'Nauru has the highest BMI of men: 0.5 to 2 % above bounds from the United States.',
  'BMI, P50, kg/m²':
    'The classes of NCD-RisC 2024 for American Samoa and Nauru, the heaviest populations: 3 to 5 % above the bounds.',
  'BMI, P99 ÷ P50':
    'NCD-RisC 2024 has 14 % of women of French Polynesia at 40 kg/m² and more, and in Senegal 15 % under 18.5 beside 16 % of 30 and more.',
  'spread of a bone, against the US':
    'The survey of Korea itself: the spread of women of 50 years is two thirds of the one in the United States.',
  'the ratios above at P1, P5, P95 and P99, against their bounds':
    'The ankles of children scatter by 12 to 33 % in the survey (Snyder 1977: 10 to 51 children of an age), by 8 % in soldiers. The BMI of boys of 5 in Chile has twice the spread of the US, and chest and waist follow it.',
  'the smaller ÷ the larger of two parts at P1, P5, P95 and P99':
    'At most 5 %. Each dimension has a spread of its own: lean people of 80 years outside the range of soldiers (hips, thighs), forearms of infants, the knee of Koreans of 80 years.',
  'growth, mm a year, 2 to 5 years':
    'Children of tall countries are as tall as WHO 2006 at 2 years, where few are stunted, and taller at 5.',
  'growth of a quarter, share of that until 2 years, against WHO':
    'Stunting by band of age, and the newborns of the share of low birth weight, bend the curve.',
  'change of the rate of growth between quarters, mm a year':
    'Only from 27 to 33 months: few surveys tell the bands of age of these countries.',
  'growth, mm a year, 5 to 10 years':
    'The table of children (NCD-RisC 2020) is so flat for boys of East Africa and Yemen, who are small for their adults.',
  'growth, mm a year, 10 to 17 years':
    'The same boys catch up late. Falls of 1 mm come from a change of the skewness.',
  'stature at 60 less that at 18, mm':
    'The cohorts of NCD-RisC 2016 fall by 35 to 60 mm from 1964 to 1996, with standard errors of 7 to 17 mm.',
  'a girth, breadth or depth in a year, ln':
    'The same children grow by an eighth from 2 to 3 years.',
  'boys less girls, stature, mm':
    'The gaps of the table are shrunk, but those of Rwanda are too far from the others.',
};

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
    REASONS[rule] ?? '',
  ]);
  const parts = [
    '# What an anatomist would doubt',
    '<!-- team: begin -->',
    'Written by `npm run evaluate`; do not edit. `pipeline/evaluate/anatomy-rules.ts` and `accuracy.json` of a release have every rule with its bounds and sources.',
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

import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { COUNTRY_CODES } from '../core/countries.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import { DEFAULTS } from '../operations/fields.js';

/** Arguments of a prompt, all of them text. */
type Values = Readonly<Record<string, string>>;

/** A prompt as `prompts/list` returns it, and how its text is made. */
interface PromptSource {
  readonly listed: Prompt;
  readonly text: (values: Values) => string;
}

const COUNTRY = {
  name: 'country',
  description: `Country code of the users, such as JP; ${DEFAULTS.country} if omitted.`,
  required: false,
};
const AGE = { name: 'age', description: 'Age of the users in years; 40 if omitted.' };
const FREE_CATALOG =
  'Look names up with get_catalog and its filters (free) if you are unsure; do not guess.';

const SOURCES: readonly PromptSource[] = [
  {
    listed: {
      name: 'size_a_seat',
      title: 'Size a seat',
      description: 'Seat height, depth and width, and back height that fit 90 % of the users.',
      arguments: [COUNTRY, { ...AGE, required: false }],
    },
    text: ({ country = DEFAULTS.country, age = '40' }) =>
      [
        `Size a seat for users aged ${age} in ${country}, so that it fits nine in ten of them.`,
        'Ask for both genders with predict_range, percentiles [5, 95], clothing light_shoes, of:',
        '- PoplitealHeight: seat height, adjustable from the smaller gender’s 5th to the larger’s 95th percentile;',
        '- ButtockPoplitealLength: seat depth, no more than the smallest 5th percentile less 50 mm;',
        '- SittingHipBreadth: seat width, at least the largest 95th percentile;',
        '- SittingShoulderHeight: back height, up to the largest 95th percentile.',
        'That is 8 calls and 16 credits; say so before you begin.',
        'Answer with a table of the four measures in mm, who sets each limit, and what a fixed height would cost in users.',
      ].join('\n'),
  },
  {
    listed: {
      name: 'check_reach',
      title: 'Check a reach',
      description: 'Which share of the users can reach a control at a given height or distance.',
      arguments: [
        {
          name: 'measurement',
          description: 'Reach to check, such as VerticalGripReachStanding or WorkReach.',
          required: true,
        },
        { name: 'value', description: 'Height or distance of the control in mm.', required: true },
        COUNTRY,
        { ...AGE, required: false },
      ],
    },
    text: ({ measurement, value, country = DEFAULTS.country, age = '40' }) =>
      [
        `Which share of users aged ${age} in ${country} can reach a control at ${value} mm, judged by ${measurement}?`,
        `Call percentile_lookup once for each gender with measurement ${measurement}, value ${value}, unit mm (2 credits in all).`,
        'Those at or above the percentile found can reach it: 100 less the percentile, in percent.',
        'A refusal value_out_of_range means nearly all or nearly none can: compare the value with the bounds it gives.',
        FREE_CATALOG,
        'Answer with the share for women, for men and for an even mix, and the value that nine in ten would reach (predict at percentile 10, 2 credits more).',
      ].join('\n'),
  },
  {
    listed: {
      name: 'compare_markets',
      title: 'Compare markets',
      description: 'How a measurement differs between countries, and whether one size will do.',
      arguments: [
        {
          name: 'measurement',
          description: 'Measurement that sets the size, such as Stature.',
          required: true,
        },
        {
          name: 'countries',
          description: 'Two to ten country codes, separated by commas, such as NL,JP,ID.',
          required: true,
        },
        { ...AGE, required: false },
      ],
    },
    text: ({ measurement, countries = '', age = '40' }) => {
      const codes = countries.split(',').map((code) => code.trim());
      return [
        `Compare ${measurement} of people aged ${age} in ${codes.join(', ')}.`,
        `Call predict_compare with countries ${JSON.stringify(codes)} for each gender at percentiles 5, 50 and 95: 6 calls, ${codes.length * 6} credits; say so before you begin.`,
        FREE_CATALOG,
        'Answer with a table of countries by gender and percentile in mm, the largest gap at the median, and whether one size, two sizes or an adjustable range serves all these markets from the 5th to the 95th percentile.',
      ].join('\n');
    },
  },
];

const BY_NAME: ReadonlyMap<string, PromptSource> = new Map(
  SOURCES.map((source) => [source.listed.name, source]),
);

/** The prompts, always in the same order. */
export const PROMPTS: readonly Prompt[] = SOURCES.map(({ listed }) => listed);

/** Whether there is a prompt of that name. */
export function isPrompt(name: string): boolean {
  return BY_NAME.has(name);
}

/**
 * Fills in a prompt.
 *
 * @returns the prompt, or the fault of the request as a sentence
 */
export function getPrompt(name: string, values: Values): GetPromptResult | string {
  const source = BY_NAME.get(name);
  if (source === undefined) {
    return `Prompt ${name} not found; there are ${[...BY_NAME.keys()].join(', ')}.`;
  }
  const { listed, text } = source;
  const missing = listed.arguments?.filter((each) => each.required && !values[each.name]?.trim());
  if (missing !== undefined && missing.length > 0) {
    return `Prompt ${name} needs the argument ${missing.map((each) => each.name).join(', ')}.`;
  }
  const message = { role: 'user' as const, content: { type: 'text' as const, text: text(values) } };
  return { description: listed.description, messages: [message] };
}

/** Most values of one completion (the protocol's limit). */
const MAX_COMPLETIONS = 100;

/** Values of an argument that begin with the text; the case does not matter. */
export function complete(argument: string, text: string) {
  const wanted = text.toLowerCase();
  const all = choicesOf(argument).filter((choice) => choice.toLowerCase().startsWith(wanted));
  const values = all.slice(0, MAX_COMPLETIONS);
  return { completion: { values, total: all.length, hasMore: all.length > values.length } };
}

function choicesOf(argument: string): readonly string[] {
  if (argument === 'measurement' || argument === 'name') return MEASUREMENT_NAMES;
  return argument === 'country' ? COUNTRY_CODES : [];
}

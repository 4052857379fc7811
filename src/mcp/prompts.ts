import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { COUNTRY_CODES } from '../core/countries.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import { nameHint } from '../operations/nearest-name.js';
import { ArgumentFault } from './prompt-arguments.js';
import { MEASUREMENT_PROMPTS, PRODUCT_PROMPTS, type PromptSource } from './prompt-texts.js';
import { TASK_PROMPTS } from './task-prompts.js';

const SOURCES: readonly PromptSource[] = [
  ...PRODUCT_PROMPTS,
  ...TASK_PROMPTS,
  ...MEASUREMENT_PROMPTS,
];

const BY_NAME: ReadonlyMap<string, PromptSource> = new Map(
  SOURCES.map((source) => [source.name, source]),
);

/** The prompts, always in the same order. */
export const PROMPTS: readonly Prompt[] = SOURCES.map((source) => ({
  name: source.name,
  title: source.title,
  description: source.description,
  arguments: source.arguments.map(({ name, description, fallback }) => ({
    name,
    description,
    required: fallback === undefined,
  })),
}));

/** Whether there is a prompt of that name. */
export function isPrompt(name: string): boolean {
  return BY_NAME.has(name);
}

/**
 * Fills in a prompt.
 *
 * @param given the arguments as texts; an empty text counts as omitted
 * @param isFree whether calls cost nothing; the prompt then names no price
 * @returns the prompt, or the fault of the request as a sentence
 */
export function getPrompt(
  name: string,
  given: Readonly<Record<string, string>>,
  isFree = false,
): GetPromptResult | string {
  const source = BY_NAME.get(name);
  if (source === undefined) {
    return `Prompt ${name} not found; there are ${[...BY_NAME.keys()].join(', ')}.`;
  }
  try {
    const values = readArguments(source, given);
    const lines = source.text(values);
    const text = (isFree ? lines : [...lines, source.price(values)]).join('\n');
    const message = { role: 'user' as const, content: { type: 'text' as const, text } };
    return { description: source.description, messages: [message] };
  } catch (error) {
    if (error instanceof ArgumentFault) return error.message;
    throw error;
  }
}

/** @throws ArgumentFault */
function readArguments(source: PromptSource, given: Readonly<Record<string, string>>) {
  const known = source.arguments.map(({ name }) => name);
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const hint = nameHint(name, known);
    throw new ArgumentFault(
      `Prompt ${source.name} has no argument ${name}; it takes ${known.join(', ')}.${hint === undefined ? '' : ` ${hint}`}`,
    );
  }
  const isMissing = (name: string) => (given[name] ?? '').trim() === '';
  const missing = source.arguments.filter(
    ({ name, fallback }) => fallback === undefined && isMissing(name),
  );
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    throw new ArgumentFault(`Prompt ${source.name} needs the argument ${names}.`);
  }
  return Object.fromEntries(
    source.arguments.map(({ name, kind, fallback }) => [
      name,
      isMissing(name) ? fallback : kind.read((given[name] as string).trim(), name),
    ]),
  );
}

/** Maximum number of values of one completion (the protocol's limit). */
const MAX_COMPLETIONS = 100;

/**
 * Values of an argument that begin with the text, in upper or lower case. In a list with commas, the last word is
 * completed.
 */
export function complete(argument: string, text: string, prompt?: string) {
  const begun = argument === 'countries' ? text.slice(0, text.lastIndexOf(',') + 1) : '';
  const wanted = text.slice(begun.length).trim().toLowerCase();
  const all = choicesOf(argument, prompt)
    .filter((choice) => choice.toLowerCase().startsWith(wanted))
    .map((choice) => begun + choice);
  const values = all.slice(0, MAX_COMPLETIONS);
  return { completion: { values, total: all.length, hasMore: all.length > values.length } };
}

function choicesOf(argument: string, prompt: string | undefined): readonly string[] {
  const source = prompt === undefined ? undefined : BY_NAME.get(prompt);
  const found = source?.arguments.find(({ name }) => name === argument);
  if (found !== undefined) return found.kind.choices;
  // The template of the measurement sheets has this argument.
  if (argument === 'measurement' || argument === 'name') return MEASUREMENT_NAMES;
  return argument === 'country' ? COUNTRY_CODES : [];
}

import { inWords, type Problem, type Sentence, type Wording, worded } from '../../core/errors.js';

/** Names of fields of requests on pages. A page has no field with the name of the API. */
const LABELS: Readonly<Record<string, string>> = {
  ageMin: 'the youngest age',
  ageMax: 'the oldest age',
  groups: 'the population',
  keep: 'the conditions',
};

/** Lists whose entries have a number on pages. */
const NUMBERED: Readonly<Record<string, string>> = {
  known: 'known value',
  limits: 'limit',
  measurements: 'dimension',
  dimensions: 'dimension',
  targets: 'target',
};

/** The wording of pages: fields have labels, and nothing is said of JSON and routes. */
const PAGES: Wording = {
  field(pointer) {
    const path = pointer.split('/').slice(1);
    const entry = path.findLastIndex((name, i) => name in NUMBERED && path[i + 1] !== undefined);
    if (entry >= 0) return `${NUMBERED[path[entry] as string]} ${Number(path[entry + 1]) + 1}`;
    const name = path.findLast((one) => !/^\d+$/.test(one)) ?? '';
    return LABELS[name] ?? (name === '' ? 'the address' : `the ${name}`);
  },
  rules: {
    '""': 'an empty text',
    '{0} ({1} more in errors{2})': '{0}',
    '{0} ({1})': '“{1}”',
    '{0}{1}.min must be less than max, {2}.': '{0} must begin below its end, {2}.',
    '{0} ({1}) must be from {2} to {3}, not {4}.': '{0} must be from {2} to {3}, not {4}.',
    'must be a whole JSON number, without quotes.': 'must be a whole number.',
    'must be a finite JSON number, without quotes.': 'must be a number.',
    ' The ages of a population are completed years; for months, call predict with an exact age such as 0.25.':
      ' The ages of a population are completed years; for months, ask about one person with an exact age such as 0.25.',
    '{0} is not a valid value of {1}; {2}.{3}':
      '{0} is not a valid value of {1}; choose another on the page.{3}',
    '{0} is neither a country code nor a set of countries ({1}); {2}.{3}':
      '{0} is neither a country nor a set of them; choose another in the population.{3}',
    'Nothing is asked: give targets, see or clear with at least one entry.':
      'Nothing is asked: add a target, a sight or a thing that needs room.',
  },
};

/** A sentence in the words of pages. */
export function plainWords(sentence: Sentence | string): string {
  const text = inWords(sentence, PAGES);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The problem in the words of pages. */
export const plainProblem = (problem: Problem): Problem => worded(problem, plainWords);

import { inWords, type Problem, type Sentence, type Wording, worded } from '../../core/errors.js';
import { capital } from '../../site/in-sentence.js';
import { inWords as nameInWords } from '../../site/labels.js';

/** Names of fields of requests on pages. A page has no field with the name of the API. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['ageMin', 'the youngest age'],
  ['ageMax', 'the oldest age'],
  ['groups', 'the population'],
  ['keep', 'the conditions'],
  ['see', 'the sight'],
  ['clear', 'the thing that needs room'],
]);

/** Lists whose entries have a number on pages. */
const NUMBERED: ReadonlyMap<string, string> = new Map([
  ['known', 'known value'],
  ['limits', 'limit'],
  ['measurements', 'measurement'],
  ['dimensions', 'measurement'],
  ['targets', 'target'],
  ['see', 'sight'],
  ['clear', 'thing'],
]);

/** The wording of pages: fields have labels, and nothing is said of JSON and routes. */
const PAGES: Wording = {
  field(pointer) {
    const path = pointer.split('/').slice(1);
    const entry = path.findLastIndex(
      (name, i) => NUMBERED.has(name) && /^\d+$/.test(path[i + 1] ?? ''),
    );
    if (entry >= 0) return `${NUMBERED.get(path[entry] as string)} ${Number(path[entry + 1]) + 1}`;
    const name = path.findLast((one) => !/^\d+$/.test(one)) ?? '';
    return (
      LABELS.get(name) ?? (name === '' ? 'the address' : `the ${nameInWords(name).toLowerCase()}`)
    );
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
    'needs over, upMax or downMax; without them everybody sees it.':
      'needs an edge or a limit of degrees; without them everybody sees it.',
    '{0} is not a valid value of {1}, which names lengths only. {2} have {3}.':
      '{0} is not a valid value of {1}, which names lengths only. Choose another on the page.',
    '{0} is a set of countries, and {1} takes one country. {2} take sets, such as {3}, in population.groups[].countries.':
      '{0} is a set of countries, and {1} takes one country.',
    'needs min, max or both.': 'needs a least value, a largest value or both.',
    'GET {0} lists all {1}.': 'Choose another on the page.',
    'Nothing is asked: give targets, see or clear with at least one entry.':
      'Nothing is asked: add a target, a sight or a thing that needs room.',
  },
};

/** A sentence in the words of pages. */
export function plainWords(sentence: Sentence | string): string {
  const text = inWords(sentence, PAGES);
  return capital(text);
}

/** The first fault of a problem in the words of pages, otherwise its message. */
export const plainDetail = ({ sentence, extras }: Problem): string =>
  plainWords(extras.errors?.[0] ?? sentence);

/** The problem in the words of pages. */
export const plainProblem = (problem: Problem): Problem => worded(problem, plainWords);

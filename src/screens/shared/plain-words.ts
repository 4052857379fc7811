import { Problem } from '../../core/errors.js';

/** Names of request fields in words. A page does not have fields with these names. */
const FIELDS: Readonly<Record<string, string>> = {
  ageMin: 'the youngest age',
  ageMax: 'the oldest age',
  countries: 'the countries',
};

const fieldInWords = (name: string): string => FIELDS[name] ?? `the ${name}`;

/** Words of the API that mean nothing on a page, with their replacements. */
const REWORDED: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [/ \(population\.groups\[\d+\][\w.[\]]*\)/g, ''],
  [/ \(\d+ more in errors\)/g, ''],
  [/(?:population\.)?groups\[\d+\]\.(\w+)(\[\d+\])?/g, (_, name = '') => fieldInWords(name)],
  [/person\.known\[(\d+)\](\.\w+)?/g, (_, index = '0') => `known value ${Number(index) + 1}`],
  [/person\.(\w+)/g, (_, name = '') => fieldInWords(name)],
  [/\bageMin\b|\bageMax\b/g, (name = '') => fieldInWords(name)],
  [/a (whole|finite) JSON number, without quotes/g, (_, kind) => NUMBERS[kind ?? ''] ?? 'a number'],
  [/call predict with/g, 'ask about one person with'],
  [/; GET \/ lists (?:both|the \d+ known ones)/g, ''],
  [
    /is not a valid value of (?:measurement|anchorMeasurement|linkedMeasurement|(?:measurements|dimensions|limits)\[\d+\](?:\.measurement)?|known value \d+)(?=[.;,])/g,
    'is not the name of a dimension; choose one on the page',
  ],
  [/\b(?:targets|see|clear)\[\d+\] \(([^)]{0,200})\)/g, (_, name = '') => `“${name}”`],
  [
    /give targets, see or clear with at least one entry/g,
    'add a target, a sight or a thing that needs room',
  ],
  [/\blimits\[(\d+)\](?:\.\w+)?/g, (_, index = '0') => `limit ${Number(index) + 1}`],
  [
    /\b(?:dimensions|measurements)\[(\d+)\](?:\.\w+)?/g,
    (_, index = '0') => `dimension ${Number(index) + 1}`,
  ],
  [
    /is not a valid value of (?:the )?(?:country\b|countries\[\d+\])/gi,
    'is not the code of a country, such as DE',
  ],
  [
    /is neither a country code nor a set of countries/g,
    'is neither a country nor a set of them; choose another in the population',
  ],
  [
    /is not a valid value of (?:the )?(\w+); use one of [\w-]+(?:, [\w-]+)*/g,
    (_, field = '') => `is not known as ${field}; choose another on the page`,
  ],
  [/^""/, 'An empty text'],
];

const NUMBERS: Readonly<Record<string, string>> = { whole: 'a whole number', finite: 'a number' };

/** A message of the API for readers of a page, without field names, JSON and routes. */
export function plainWords(message: string): string {
  const reworded = REWORDED.reduce(
    (text, [words, instead]) => text.replace(words, instead as string),
    message,
  );
  return reworded.charAt(0).toUpperCase() + reworded.slice(1);
}

/** The problem with its message in the words of pages. */
export function plainProblem(problem: Problem): Problem {
  const { errors, ...extras } = problem.extras;
  const all = errors?.map((error) => ({ ...error, message: plainWords(error.message) }));
  return new Problem(
    problem.code,
    plainWords(problem.message),
    all === undefined ? extras : { ...extras, errors: all },
  );
}

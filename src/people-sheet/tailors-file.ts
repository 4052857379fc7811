import { extname } from 'node:path';
import { DOMParser, type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
import { Problem } from '../core/errors.js';
import { parseBody } from '../core/json-text.js';
import type { Unit } from '../core/units.js';
import { YEARS_PER_UNIT } from '../search/age-words.js';
import { FREESEWING_NAMES, SEAMLY_NAMES } from '../search/measurement-words.js';
import { DAY_MS, dayOf } from './sheet-ages.js';
import { refusal } from './sheet-columns.js';

/** A file of one person for a tailor's program. */
export interface TailorsFile {
  /** Measurement of each name of the program. */
  readonly names: Readonly<Record<string, string>>;
  /** Unit of all lengths; undefined if the file does not say it. */
  readonly unit: Unit | undefined;
  /** Facts about the person in the file. The age is in years. */
  readonly person: { readonly gender?: string; readonly age?: string };
  /** The measurements of the file, by name: a number as text, or an empty text for a missing value and an estimate. */
  readonly values: ReadonlyMap<string, string>;
  /** Names whose value is a formula. */
  readonly formulas: readonly string[];
  /** The file with estimates, by name. All else is as it was. */
  completed(estimates: ReadonlyMap<string, string>): string;
}

/** A birth date longer ago is none. The programs write 1800-01-01 or 1900-01-01 for people without one. */
const AGE_YEARS_MAX = 120;
const UNITS: ReadonlyMap<string, Unit> = new Map([
  ['mm', 'mm'],
  ['cm', 'cm'],
  ['inch', 'in'],
]);

/** The reader of a tailor's file, by the end of its path; undefined for other files. */
export function tailorsReader(file: string): ((text: string) => TailorsFile) | undefined {
  const reader = READERS[extname(file).toLowerCase()];
  if (reader === undefined) return undefined;
  return (text) => {
    const read = reader(file, text);
    // A file without estimates stays as it is, to the letter.
    return { ...read, completed: (all) => (all.size === 0 ? text : read.completed(all)) };
  };
}

/** The readers throw a refusal for a file that is none. */
const READERS: Readonly<Record<string, (file: string, text: string) => TailorsFile>> = {
  '.smis': seamlyFile,
  '.vit': seamlyFile,
  '.vst': seamlyFile,
  '.smms': seamlyFile,
  '.json': freeSewingFile,
};

function seamlyFile(file: string, text: string): TailorsFile {
  const document = xmlOf(file, text);
  const root = document.documentElement;
  if (root?.nodeName === 'vst' || root?.nodeName === 'smms') {
    throw refusal(
      `${file} is a table of sizes, not a person. Save one person as individual measurements.`,
    );
  }
  if (root?.nodeName !== 'smis' && root?.nodeName !== 'vit') {
    throw refusal(
      `${file} begins with <${root?.nodeName}>. A file of one person begins with <smis> or <vit>; save the person as individual measurements.`,
    );
  }
  const textOf = (name: string) => root.getElementsByTagName(name)[0]?.textContent?.trim() ?? '';
  const version = textOf('version');
  if (/^0\.[0-2](\.|$)/.test(version)) {
    throw refusal(
      `${file} has an older format (${version}): open it in a newer version of Seamly2D or Valentina, and save it again.`,
    );
  }
  const body = root.getElementsByTagName('body-measurements')[0];
  if (body === undefined) throw refusal(`${file} has no <body-measurements>.`);
  const unit = UNITS.get(textOf('unit'));
  if (unit === undefined) {
    throw refusal(`${file}: <unit> is ${JSON.stringify(textOf('unit'))}. Write mm, cm or inch.`);
  }
  const all = Array.from(body.getElementsByTagName('m'));
  const nameOf = (element: Element) => element.getAttribute('name') ?? '';
  const noteOf = (element: Element) => element.getAttribute('description') ?? '';
  const elements = new Map(all.map((element) => [nameOf(element), element]));
  const entries = all.map((element): Entry => {
    const value = (element.getAttribute('value') ?? '').trim();
    return [nameOf(element), value, noteOf(element).endsWith(markOf(value))];
  });
  const { values, formulas } = valuesOf(file, entries);
  const gender = textOf('gender');
  const age = ageToday(file, textOf('birth-date'));
  return {
    ...{ names: SEAMLY_NAMES, unit, values, formulas },
    person: {
      ...(gender === '' || gender === 'unknown' ? {} : { gender }),
      ...(age === undefined ? {} : { age }),
    },
    completed(estimates) {
      // A value that somebody changed is no estimate any more.
      for (const element of all) {
        const isGiven = (values.get(nameOf(element)) ?? '') !== '';
        const note = noteOf(element);
        if (isGiven && MARK.test(note)) element.setAttribute('description', note.replace(MARK, ''));
      }
      for (const [name, value] of estimates) {
        const element = elements.get(name) ?? appended(document, body, name);
        const own = noteOf(element).replace(MARK, '');
        element.setAttribute('value', value);
        element.setAttribute('description', `${own} ${markOf(value)}`.trim());
      }
      const written = new XMLSerializer().serializeToString(document);
      const ended = text.endsWith('\n') && !written.endsWith('\n') ? `${written}\n` : written;
      return text.includes('\r\n') ? ended.replaceAll('\n', '\r\n') : ended;
    },
  };
}

/** A measurement of a file: its name, its value, and whether an earlier run wrote it. */
type Entry = readonly [name: string, value: string, isEstimate: boolean];

/**
 * The values and the formulas of a file.
 *
 * @throws Refusal `wrong_sheet` for a name that stands twice, a negative length, and a number with a decimal comma
 */
function valuesOf(file: string, entries: readonly Entry[]) {
  const values = new Map<string, string>();
  const formulas: string[] = [];
  for (const [name, value, isEstimate] of entries) {
    const quoted = JSON.stringify(name);
    if (values.has(name) || formulas.includes(name)) {
      throw refusal(`${file} has ${quoted} twice. Keep one.`);
    }
    const isComma = /^-?\d+,\d+$/.test(value);
    if (isComma || Number(value) < 0) {
      const remedy = isComma ? `Write ${value.replace(',', '.')}.` : 'Write a positive length.';
      throw refusal(`${file}: ${quoted} is ${JSON.stringify(value)}. ${remedy}`);
    }
    if (Number.isNaN(Number(value))) formulas.push(name);
    else values.set(name, isEstimate || Number(value) === 0 ? '' : value);
  }
  return { values, formulas };
}

/** The end of the description of an estimate. A value that somebody changed later does not agree with it. */
const markOf = (value: string): string => `estimate of vitruvia fill: ${value}`;
const MARK = /(?<!\s)\s*estimate of vitruvia fill: \S*$/;

/** Appends a measurement on a line of its own, indented as the programs do. */
function appended(document: Document, body: Element, name: string): Element {
  const element = document.createElement('m');
  element.setAttribute('name', name);
  body.appendChild(document.createTextNode('    '));
  body.appendChild(element);
  body.appendChild(document.createTextNode('\n    '));
  return element;
}

/** @throws Refusal `wrong_sheet` for a text that is no XML, or that may declare entities */
function xmlOf(file: string, text: string): Document {
  if (/<!DOCTYPE/i.test(text)) {
    throw refusal(
      `${file} has a document type (<!DOCTYPE>), which files of measurements do not have. Remove it.`,
    );
  }
  let fault = 'it cannot be read';
  const onError = (_: string, message: string, handler: unknown) => {
    const line = (handler as { locator?: { lineNumber?: number } }).locator?.lineNumber;
    fault = line === undefined ? message : `line ${line}: ${message}`;
    throw new Error(message);
  };
  try {
    return new DOMParser({ onError }).parseFromString(text, 'text/xml');
  } catch {
    throw refusal(
      `${file} is no well-formed XML: ${fault}. Save it again in the program that wrote it.`,
    );
  }
}

/** The age in years today, in tenths; undefined if there is no birth date. */
function ageToday(file: string, birthDate: string): string | undefined {
  if (birthDate === '') return undefined;
  const born = dayOf(birthDate, undefined) ?? Number.NaN;
  const age = (Date.now() / DAY_MS - born) * YEARS_PER_UNIT.days;
  if (Number.isNaN(age) || age < 0) {
    throw refusal(
      `${file}: the birth date is ${JSON.stringify(birthDate)}. Write a date of the past, such as 1990-06-30.`,
    );
  }
  return age > AGE_YEARS_MAX ? undefined : String(Math.floor(age * 10) / 10);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function freeSewingFile(file: string, text: string): TailorsFile {
  const data = jsonOf(file, text);
  const set = Array.isArray(data) && data.length === 1 ? data[0] : data;
  if (Array.isArray(set)) {
    throw refusal(`${file} has ${set.length} sets of measurements. Write one set into each file.`);
  }
  const measured = isObject(set) ? (set.measurements ?? set.measies) : undefined;
  if (!isObject(measured)) {
    throw refusal(
      `${file} is no set of measurements of FreeSewing; it needs an object "measurements", such as {"measurements": {"chest": 1000}}.`,
    );
  }
  const owner = set as Record<string, unknown>;
  const estimated = isObject(owner.estimates) ? owner.estimates : {};
  const entries = Object.entries(measured).map(
    ([name, value]): Entry => [name, String(value ?? '').trim(), estimated[name] === value],
  );
  return {
    ...{ names: FREESEWING_NAMES, unit: undefined, person: {}, ...valuesOf(file, entries) },
    completed(estimates) {
      const numbers = Object.fromEntries(
        [...estimates].map(([name, value]) => [name, Number(value)] as const),
      );
      const kept = Object.entries(estimated).filter(([name, value]) => measured[name] === value);
      Object.assign(measured, numbers);
      owner.estimates = { ...Object.fromEntries(kept), ...numbers };
      const indent = /^[ \t]+/m.exec(text)?.[0];
      return `${JSON.stringify(data, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`;
    },
  };
}

function jsonOf(file: string, text: string): unknown {
  try {
    return parseBody(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw refusal(`${file}: ${error.message.replace('The body', 'The file')}`);
  }
}

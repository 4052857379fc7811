import { extname } from 'node:path';
import { DOMParser, type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
import { Problem } from '../core/errors.js';
import { parseBody } from '../core/json-text.js';
import type { Unit } from '../core/units.js';
import { YEARS_PER_UNIT } from '../search/age-words.js';
import { DAY_MS, dayOf } from './sheet-ages.js';
import { refusal } from './sheet-columns.js';
import { FREESEWING_NAMES, SEAMLY_NAMES } from './tailors-names.js';

/** A file of one person for a tailor's program. */
export interface TailorsFile {
  /** What each name of the program measures. */
  readonly names: Readonly<Record<string, string>>;
  /** Unit of all lengths; undefined if the file does not say it. */
  readonly unit: Unit | undefined;
  /** What the file says of the person. The age is in years. */
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
const ELEMENT = 1;

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
  const body = childOf(root, 'body-measurements');
  const version = textOf(root, 'version');
  if (/^0\.[0-2](\.|$)/.test(version)) {
    throw refusal(
      `${file} has an older format (${version}): open it in a newer version of Seamly2D or Valentina, and save it again.`,
    );
  }
  if (body === undefined) throw refusal(`${file} has no <body-measurements>.`);
  const unitText = textOf(root, 'unit');
  const unit = UNITS.get(unitText);
  if (unit === undefined) {
    throw refusal(`${file}: <unit> is ${JSON.stringify(unitText)}. Write mm, cm or inch.`);
  }
  const elements = new Map<string, Element>();
  const values = new Map<string, string>();
  const formulas: string[] = [];
  for (const element of childrenOf(body).filter(({ nodeName }) => nodeName === 'm')) {
    const name = element.getAttribute('name') ?? '';
    if (elements.has(name)) throw refusal(`${file} has ${JSON.stringify(name)} twice. Keep one.`);
    elements.set(name, element);
    const value = (element.getAttribute('value') ?? '').trim();
    const isEstimate = element.getAttribute('description')?.endsWith(markOf(value)) === true;
    if (isFormula(file, name, value)) formulas.push(name);
    else values.set(name, isEstimate || Number(value) === 0 ? '' : value);
  }
  const personal = childOf(root, 'personal');
  const gender = personal === undefined ? '' : textOf(personal, 'gender');
  const age = personal === undefined ? undefined : ageToday(file, textOf(personal, 'birth-date'));
  return {
    ...{ names: SEAMLY_NAMES, unit, values, formulas },
    person: {
      ...(gender === '' || gender === 'unknown' ? {} : { gender }),
      ...(age === undefined ? {} : { age }),
    },
    completed(estimates) {
      for (const [name, element] of elements) {
        // A value that somebody changed is no estimate any more.
        const text = element.getAttribute('description') ?? '';
        const value = values.get(name) ?? '';
        if (value !== '' && MARK.test(text)) {
          element.setAttribute('description', text.replace(MARK, ''));
        }
      }
      for (const [name, value] of estimates) {
        const element = elements.get(name) ?? appended(document, body, name);
        const own = (element.getAttribute('description') ?? '').replace(MARK, '');
        element.setAttribute('value', value);
        element.setAttribute('description', `${own} ${markOf(value)}`.trim());
      }
      const written = new XMLSerializer().serializeToString(document);
      const ended = text.endsWith('\n') && !written.endsWith('\n') ? `${written}\n` : written;
      return text.includes('\r\n') ? ended.replaceAll('\n', '\r\n') : ended;
    },
  };
}

/** The end of the description of an estimate. A value that somebody changed later does not agree with it. */
const markOf = (value: string): string => `estimate of vitruvia fill: ${value}`;
const MARK = /(?<!\s)\s*estimate of vitruvia fill: \S*$/;

/** Appends a measurement, indented as the first one is. */
function appended(document: Document, body: Element, name: string): Element {
  const element = document.createElement('m');
  element.setAttribute('name', name);
  const isSpace = body.lastChild !== null && body.lastChild.nodeValue?.trim() === '';
  const [first] = childrenOf(body);
  const space = first?.previousSibling?.nodeValue ?? '';
  const indent = /^\s+$/.test(space) ? space : '\n        ';
  const before = isSpace ? body.lastChild : body.appendChild(document.createTextNode('\n    '));
  body.insertBefore(document.createTextNode(indent), before);
  body.insertBefore(element, before);
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

/**
 * Whether a value is a formula.
 *
 * @throws Refusal `wrong_sheet` for a negative length, and for a number with a decimal comma
 */
function isFormula(file: string, name: string, value: string): boolean {
  const isComma = /^-?\d+,\d+$/.test(value);
  if (isComma || Number(value) < 0) {
    const remedy = isComma ? `Write ${value.replace(',', '.')}.` : 'Write a positive length.';
    throw refusal(`${file}: ${JSON.stringify(name)} is ${JSON.stringify(value)}. ${remedy}`);
  }
  return value !== '' && Number.isNaN(Number(value));
}

const childrenOf = (element: Element): Element[] =>
  Array.from(element.childNodes).filter((node) => node.nodeType === ELEMENT) as Element[];

const childOf = (element: Element, name: string): Element | undefined =>
  childrenOf(element).find(({ nodeName }) => nodeName === name);

const textOf = (element: Element, name: string): string =>
  (childOf(element, name)?.textContent ?? '').trim();

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
  const values = new Map<string, string>();
  const formulas: string[] = [];
  for (const [name, value] of Object.entries(measured)) {
    const text = value === null ? '' : String(value).trim();
    if (isFormula(file, name, text)) formulas.push(name);
    else values.set(name, estimated[name] === value || Number(text) === 0 ? '' : text);
  }
  return {
    ...{ names: FREESEWING_NAMES, unit: undefined, person: {}, values, formulas },
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

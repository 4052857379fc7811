import { extname } from 'node:path';
import { DOMParser, type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
import { Problem } from '../core/errors.js';
import { parseBody } from '../core/json-text.js';
import type { Unit } from '../core/units.js';
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

const YEAR_MS = 365.2425 * 24 * 3600 * 1000;
/** A birth date longer ago is none. The programs write 1800-01-01 or 1900-01-01 for people without one. */
const AGE_YEARS_MAX = 120;
const UNITS: ReadonlyMap<string, Unit> = new Map([
  ['mm', 'mm'],
  ['cm', 'cm'],
  ['inch', 'in'],
]);
const ELEMENT = 1;

/** Whether a path is that of a tailor's file. */
export function isTailorsFile(file: string): boolean {
  return extname(file).toLowerCase() in READERS;
}

/**
 * Reads a file of Seamly2D or Valentina (individual measurements), or a set of measurements of FreeSewing.
 *
 * @throws Refusal `wrong_sheet` for a file that is none
 */
export function tailorsFile(file: string, text: string): TailorsFile {
  const read = READERS[extname(file).toLowerCase()];
  if (read === undefined) throw new Error(`${file} has no reader`);
  return read(file, text);
}

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
  const age = personal === undefined ? undefined : ageOf(file, textOf(personal, 'birth-date'));
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

/** @throws Refusal `wrong_sheet` for a text that is no XML, or that declares entities */
function xmlOf(file: string, text: string): Document {
  let fault = 'it cannot be read';
  let hasType = false;
  const parser = new DOMParser({
    onError(_, message, handler) {
      const { locator, doc } = handler as { locator?: { lineNumber?: number }; doc?: Document };
      hasType = doc?.doctype != null;
      fault =
        locator?.lineNumber === undefined ? message : `line ${locator.lineNumber}: ${message}`;
      throw new Error(message);
    },
  });
  let document: Document | undefined;
  try {
    document = parser.parseFromString(text, 'text/xml');
  } catch {
    // `fault` has the reason.
  }
  if (hasType || document?.doctype != null) {
    throw refusal(
      `${file} has a document type (<!DOCTYPE>), which files of measurements do not have. Remove it.`,
    );
  }
  if (document !== undefined) return document;
  throw refusal(
    `${file} is no well-formed XML: ${fault}. Save it again in the program that wrote it.`,
  );
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
function ageOf(file: string, birthDate: string): string | undefined {
  if (birthDate === '') return undefined;
  const born = /^\d{4}-\d{2}-\d{2}$/.test(birthDate) ? new Date(birthDate) : undefined;
  const bornMs = born?.getTime() ?? Number.NaN;
  // A day that its month lacks is another date.
  const isDate = !Number.isNaN(bornMs) && born?.toISOString().startsWith(birthDate) === true;
  const ageYears = (Date.now() - bornMs) / YEAR_MS;
  if (!isDate || ageYears < 0) {
    throw refusal(
      `${file}: the birth date is ${JSON.stringify(birthDate)}. Write a date of the past, such as 1990-06-30.`,
    );
  }
  return ageYears > AGE_YEARS_MAX ? undefined : String(Math.floor(ageYears * 10) / 10);
}

/** A set of measurements as FreeSewing imports it. */
type MeasurementSet = Record<string, unknown>;

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
  const owner = set as MeasurementSet;
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

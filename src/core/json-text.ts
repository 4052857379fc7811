import { parse } from 'secure-json-parse';
import { fault, type Problem, pointerTo, refusalOf } from './errors.js';
import { JSON_LIMITS } from './limits.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [SPACE, COMMA, COLON] = [0x20, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const STRICT = { protoAction: 'error', constructorAction: 'error' } as const;

/**
 * Parses the JSON text of a request body.
 *
 * @throws Problem `validation_error` if the text is not JSON, contains a name that changes prototypes, or names a
 * member of an object twice
 */
export function parseBody(text: string): unknown {
  return checked(text, parsed(text)).value;
}

/**
 * Parses the JSON text of a large body. Its content is limited by `JSON_LIMITS`, because large content takes long to
 * read.
 */
export function parseLargeBody(text: string): unknown {
  const { value, counts } = checked(text, parsed(text));
  for (const name of Object.keys(JSON_LIMITS) as (keyof Counts)[]) {
    const { max, words } = JSON_LIMITS[name];
    if (counts[name] <= max) continue;
    throw bodyFault(`The body has more than ${max} ${words}. Send its requests in several bodies.`);
  }
  return value;
}

/**
 * Refuses repeated names. The search for them runs only if the text and the value have different numbers of names.
 * Counting the names takes a third of the time of the search.
 */
function checked(text: string, value: unknown): { value: unknown; counts: Counts } {
  const counts: Counts = { containers: 0, fields: 0, fieldsOfOne: 0, values: 0, levels: 0 };
  if (typeof value === 'object' && value !== null) countIn(value, 1, counts);
  if (namesIn(text) !== counts.fields || counts.levels > COUNTED_LEVELS) refuseRepeated(text);
  return { value, counts };
}

function parsed(text: string): unknown {
  if (text === '') throw bodyFault('The body is empty; send a JSON object.');
  try {
    return parse(text, STRICT);
  } catch {
    throw bodyFault('The body is not valid JSON, or holds a forbidden property name.');
  }
}

/** The problem of a whole body. */
export function bodyFault(message: string): Problem {
  return refusalOf('validation_error', [fault('')`${message}`]);
}

/** An object or a list that has begun but not ended. */
interface Frame {
  /** Names of an object up to this point; undefined for a list. */
  readonly names: Set<string> | undefined;
  /** Name of the member under way, or its index. */
  member: string | number;
}

/**
 * Refuses a JSON text that names a member of an object twice. `JSON.parse` would keep the last value, and other readers
 * the first (RFC 8259, 4).
 *
 * @param text valid JSON
 * @throws Problem `validation_error`
 */
function refuseRepeated(text: string): void {
  const frames: Frame[] = [];
  let top: Frame | undefined;
  let isNameNext = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const end = endOfText(text, i);
        if (isNameNext) {
          const name = nameIn(text.slice(i, end + 1));
          const { names } = top as Frame & { names: Set<string> };
          (top as Frame).member = name;
          if (names.size === names.add(name).size) throw repeated(frames);
          isNameNext = false;
        }
        i = end;
        break;
      }
      case COMMA:
        if (top?.names === undefined) (top as { member: number }).member++;
        else isNameNext = true;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        isNameNext = text.charCodeAt(i) === OPEN_OBJECT;
        top = { names: isNameNext ? new Set() : undefined, member: 0 };
        frames.push(top);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        isNameNext = false;
        frames.pop();
        top = frames.at(-1);
        break;
    }
  }
}

/** A name from its text with quotes. */
function nameIn(quoted: string): string {
  return quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
}

/** Maximum length of a name in a message. */
const SHOWN_CHARS = 80;

function repeated(frames: readonly Frame[]): Problem {
  const name = String(frames.at(-1)?.member);
  const pointer = frames.reduce((at, { member }) => pointerTo(at, String(member)), '');
  const shown = JSON.stringify(name.length > SHOWN_CHARS ? `${name.slice(0, SHOWN_CHARS)}…` : name);
  const once = 'is given more than once in the same JSON object. Leave all but one out.';
  return refusalOf('validation_error', [fault(pointer)`${shown} ${once}`]);
}

/** Counts the names in a JSON text, which are the texts before a colon. */
function namesIn(text: string): number {
  let names = 0;
  for (let at = text.indexOf('"'); at >= 0; ) {
    let next = endOfText(text, at) + 1;
    while (text.charCodeAt(next) <= SPACE) next++;
    if (text.charCodeAt(next) === COLON) names++;
    at = text.indexOf('"', next);
  }
  return names;
}

/** Values at deeper levels are not counted, because that would need as many nested calls. */
const COUNTED_LEVELS = 100;

/** The counts of a JSON value that `JSON_LIMITS` limits. */
type Counts = Record<keyof typeof JSON_LIMITS, number>;

function countIn(value: object, level: number, counts: Counts): void {
  counts.containers++;
  counts.levels = Math.max(counts.levels, level);
  if (level > COUNTED_LEVELS) return;
  let members = 0;
  if (Array.isArray(value)) {
    members = value.length;
    for (const member of value) {
      if (typeof member === 'object' && member !== null) countIn(member, level + 1, counts);
    }
  } else {
    for (const name in value) {
      members++;
      const member = (value as Readonly<Record<string, unknown>>)[name];
      if (typeof member === 'object' && member !== null) countIn(member, level + 1, counts);
    }
    counts.fields += members;
    counts.fieldsOfOne = Math.max(counts.fieldsOfOne, members);
  }
  counts.values += members;
}

/** The end of the string that begins with a quote at `start`. If the string does not end, the end of the whole text. */
function endOfText(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // An even number of backslashes escapes itself.
    if ((end - before) % 2 === 1) return end;
  }
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { Problem, pointerTo } from './errors.js';
import { atOnce, type Pieces } from './pieces.js';

/** Characters that are looked at in one piece. */
const PIECE_CHARS = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [SPACE, COMMA, COLON] = [0x20, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** An object or a list that has begun and not ended. */
interface Frame {
  /** Names of an object so far; undefined for a list. */
  readonly names: Set<string> | undefined;
  /** Name of the member under way, or its index. */
  member: string | number;
}

/**
 * Refuses a JSON text that names a member of an object twice: `JSON.parse` would keep the last one, and
 * other readers the first (RFC 8259, 4).
 *
 * @param text valid JSON
 * @throws Problem `validation_error`
 */
export function* refuseRepeatedKeys(text: string): Pieces<void> {
  const frames: Frame[] = [];
  let top: Frame | undefined;
  let isNameNext = false;
  let scanned = 0;
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
    if (i - scanned < PIECE_CHARS) continue;
    scanned = i;
    yield;
  }
}

/** A name from its text with quotes. */
function nameIn(quoted: string): string {
  return quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
}

/** Longest name that a message shows. */
const SHOWN_CHARS = 80;

function repeated(frames: readonly Frame[]): Problem {
  const name = String(frames.at(-1)?.member);
  const pointer = frames.reduce((at, { member }) => pointerTo(at, String(member)), '');
  const shown = JSON.stringify(name.length > SHOWN_CHARS ? `${name.slice(0, SHOWN_CHARS)}…` : name);
  const message = `${shown} is given more than once in the same JSON object. Leave all but one out.`;
  return new Problem('validation_error', message, { errors: [{ pointer, message }] });
}

/**
 * The same for a short text, which takes a third of the time where no name is repeated: its names are
 * compared with those of its value in number.
 *
 * @param value what the text is parsed to
 * @throws Problem `validation_error`
 */
export function refuseRepeatedKeysOf(value: unknown, text: string): void {
  if (namesIn(text) !== membersOf(value)) atOnce(refuseRepeatedKeys(text));
}

/** How many names a JSON text has: texts before a colon. */
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

/** Deeper values are not counted: that would need as many calls. */
const COUNTED_LEVELS = 100;

/** How many members the objects of a JSON value have; NaN for a deep one. */
function membersOf(value: unknown, level = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (level > COUNTED_LEVELS) return Number.NaN;
  let members = 0;
  const isList = Array.isArray(value);
  for (const name in value) {
    if (!isList) members++;
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof member === 'object') members += membersOf(member, level + 1);
  }
  return members;
}

/** The end of a text that begins with a quote; the end of all if it does not. */
export function endOfText(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // An even number of backslashes escapes itself.
    if ((end - before) % 2 === 1) return end;
  }
}

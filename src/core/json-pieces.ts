import { Problem } from './errors.js';
import { JSON_LIMITS } from './limits.js';
import type { Pieces } from './pieces.js';
import { endOfText } from './repeated-keys.js';

/** Characters that are parsed at once; a single text or number may be longer. */
const PIECE_CHARS = 16 * 1024;

const QUOTE = 0x22;
const [COMMA, COLON] = [0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** An object or a list that has begun and not ended. */
interface Frame {
  readonly isList: boolean;
  /** Where its first character is. */
  readonly at: number;
  /** Where the text begins that is not parsed yet. */
  unread: number;
  /** Where its latest member begins. */
  member: number;
  /** Its members so far, once it is read in pieces. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** Its latest member was read in pieces, so nothing but blanks may follow up to the comma. */
  isMemberRead: boolean;
  fields: number;
}

/**
 * Parses a JSON text in pieces of about 16,000 characters, because `JSON.parse` of a megabyte of short texts
 * takes 40 ms. What the text consists of is counted on the way (`JSON_LIMITS`).
 *
 * @param parse parses the text of one value; the whole text is valid if all pieces are
 * @throws Problem `validation_error` when it consists of too much
 * @throws whatever `parse` throws
 */
export function* parseInPieces(text: string, parse: (text: string) => unknown): Pieces<unknown> {
  const frames: Frame[] = [];
  let [containers, fields, values, scanned] = [0, 0, 0, 0];
  let root: Frame | undefined;
  let top: Frame | undefined;

  /** Parses the members of a frame that are complete before a position. */
  function read(frame: Frame, end: number): void {
    const { isList, unread } = frame;
    const part = text.slice(unread, end);
    frame.unread = end + 1;
    if (frame.isMemberRead) {
      frame.isMemberRead = false;
      // Two values without a comma.
      if (!isBlank(part)) parse(`[0 ${part}]`);
      return;
    }
    // A comma with nothing before it is a fault that an empty list would hide.
    const members = parse(isList ? `[${isBlank(part) ? ',' : part}]` : `{${part}}`);
    if (isList) (frame.value as unknown[]).push(...(members as unknown[]));
    else if (isBlank(part)) parse('{,}');
    else Object.assign(frame.value as object, members);
  }

  /** Reads a frame in pieces from now on, and so all frames around it. */
  function open(frame: Frame): void {
    for (const one of frames) {
      if (one.value === undefined) one.value = one.isList ? [] : {};
      if (one === frame) return;
      if (one.member > one.unread) read(one, one.member - 1);
    }
  }

  /** Adds a frame that was read in pieces to the one around it. */
  function close(frame: Frame, end: number): void {
    const around = frames.at(-1);
    if (around === undefined) {
      root = frame;
      return;
    }
    if (around.isList) {
      if (!isBlank(text.slice(around.member, frame.at))) parse('[,]');
      (around.value as unknown[]).push(frame.value);
    } else {
      const [name] = Object.keys(parse(`{${text.slice(around.member, frame.at)}[]}`) as object);
      (around.value as Record<string, unknown>)[name ?? ''] = frame.value;
    }
    around.unread = end + 1;
    around.isMemberRead = true;
  }

  function tooMuch(name: keyof typeof JSON_LIMITS): Problem {
    const { max, words } = JSON_LIMITS[name];
    const fault = `The body has more than ${max} ${words}. Send its requests in several bodies.`;
    return new Problem('validation_error', fault, { errors: [{ pointer: '', message: fault }] });
  }

  for (let i = 0; i < text.length; i++) {
    if (i - scanned >= PIECE_CHARS) {
      scanned = i;
      yield;
    }
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfText(text, i);
        break;
      case COLON:
        if (top === undefined) break;
        if (++fields > JSON_LIMITS.fields.max) throw tooMuch('fields');
        if (++top.fields > JSON_LIMITS.fieldsOfOne.max) throw tooMuch('fieldsOfOne');
        break;
      case COMMA:
        if (top === undefined) break;
        if (++values > JSON_LIMITS.values.max) throw tooMuch('values');
        if (i - top.unread >= PIECE_CHARS || top.isMemberRead) {
          open(top);
          read(top, i);
          scanned = i;
          yield;
        }
        top.member = i + 1;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++containers > JSON_LIMITS.containers.max) throw tooMuch('containers');
        top = {
          isList: text.charCodeAt(i) === OPEN_LIST,
          at: i,
          unread: i + 1,
          member: i + 1,
          value: undefined,
          isMemberRead: false,
          fields: 0,
        };
        frames.push(top);
        if (frames.length > JSON_LIMITS.levels.max) throw tooMuch('levels');
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT: {
        const frame = frames.at(-1);
        if (frame === undefined || frame.isList !== (text.charCodeAt(i) === CLOSE_LIST)) {
          return parse('[}');
        }
        if (frame.value !== undefined || i - frame.unread >= PIECE_CHARS) {
          open(frame);
          read(frame, i);
          frames.pop();
          close(frame, i);
          scanned = i;
          yield;
        } else frames.pop();
        top = frames.at(-1);
        break;
      }
    }
  }
  if (frames.length > 0) return parse('[');
  if (root === undefined) return parse(text);
  // Only blanks may stand before and after.
  const isAlone = isBlank(text.slice(0, root.at) + text.slice(root.unread));
  return isAlone ? root.value : parse('[] []');
}

/** Whether a text has nothing but the blanks of JSON (RFC 8259, 2). */
function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

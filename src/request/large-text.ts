import { fault, refusalOf } from '../core/errors.js';
import { isObject, parseLargeBody } from '../core/json-text.js';
import type { Operation } from '../operations/operation.js';
import { readArguments } from '../operations/tool-arguments.js';

/** The JSON text of a large request. A thread of the pool parses it instead of the event loop. */
export class LargeText {
  /**
   * @param text JSON that is not checked yet
   * @param defaults values of fields that the text does not name
   * @param notes remarks for the caller about how the text was read
   */
  constructor(
    readonly text: string,
    readonly defaults: object = {},
    readonly notes: readonly string[] = [],
  ) {}
}

/** @throws Problem for text that is not JSON */
export function inputOf(text: string, defaults: object): unknown {
  const value = parseLargeBody(text);
  return isObject(value) ? { ...defaults, ...value } : value;
}

/** A message of a protocol, with large requests in it. */
export interface SplitMessage {
  /** The message without these requests, as JSON. */
  readonly envelope: string;
  /** The JSON of each request, and the part of the message to which the request belongs. */
  readonly requests: readonly {
    readonly place: number;
    readonly text: string;
    readonly notes: readonly string[];
  }[];
}

/** Maximum length of an envelope in characters. The event loop parses the envelope. */
const ENVELOPE_CHARS_MAX = 128 * 1024;

/**
 * Takes the arguments of computed operations out of a JSON-RPC message, or out of a list of them.
 *
 * @throws Problem for text that is not JSON, and for a message that is too long without these arguments
 */
export function split(text: string, operations: readonly Operation[]): SplitMessage {
  const message = parseLargeBody(text);
  const requests = messagesIn(message).flatMap(({ params }, place) => {
    if (!isObject(params) || !isObject(params.arguments)) return [];
    const operation = operations.find(({ name }) => name === params.name);
    if (operation?.computed !== true) return [];
    const { input, notes } = readArguments(operation, params.arguments, operations);
    params.arguments = {};
    return [{ place, text: JSON.stringify(input), notes }];
  });
  const envelope = JSON.stringify(message);
  if (envelope.length <= ENVELOPE_CHARS_MAX) return { envelope, requests };
  const tooLong = fault(
    '',
  )`The body has more than ${ENVELOPE_CHARS_MAX} characters besides the arguments of tools.`;
  throw refusalOf('validation_error', [tooLong], { status: 413 });
}

/** Name of the argument that replaces large ones. */
const LARGE = 'large';

/** The message with the texts of its large requests in their places. */
export function joined({ envelope, requests }: SplitMessage): unknown {
  const message: unknown = JSON.parse(envelope);
  const messages = messagesIn(message);
  for (const { place, text, notes } of requests) {
    const { params } = messages[place] as { params: Record<string, unknown> };
    params.arguments = { [LARGE]: new LargeText(text, {}, notes) };
  }
  return message;
}

/** The text that replaces the arguments of a call, or the arguments themselves. */
export function argumentsOf(given: unknown): unknown {
  const large = isObject(given) ? given[LARGE] : undefined;
  return large instanceof LargeText ? large : given;
}

function messagesIn(message: unknown): readonly { readonly params?: unknown }[] {
  const all = Array.isArray(message) ? message : [message];
  return all.map((one) => (isObject(one) ? one : {}));
}

import { Problem } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import { parseLargeBody } from '../core/json-text.js';
import { isStreamed } from '../operations/answer-formats.js';
import type { Operation } from '../operations/operation.js';
import { requestFaults } from '../operations/validate.js';
import { checkWork, estimatedWorkMs } from '../operations/work.js';

/** The JSON text of a large request. A thread of the pool parses it instead of the event loop. */
export class LargeText {
  /**
   * @param text JSON that is not checked yet
   * @param defaults values of fields that the text does not name
   */
  constructor(
    readonly text: string,
    readonly defaults: object = {},
  ) {}
}

/** The parts of a validated request that decide its path. For a large request, a thread finds them. */
export interface Facts {
  /** The highest price of its answer. */
  readonly cost: number;
  /** Requests that it counts as against the rate limit. */
  readonly hits: number;
  /** Estimated processor time. */
  readonly estimateMs: number;
  /** Whether bytes can answer it, in parts. */
  readonly isStreamed: boolean;
  readonly fingerprint: string;
  /** The request as JSON, if its answer's file may be requested later. */
  readonly json: string | undefined;
}

/** The facts of a validated request. Facts that take long to find are computed when they are first read. */
export function factsOf(operation: Operation, input: object): Facts {
  return {
    cost: operation.cost(input as never),
    hits: operation.hits?.(input as never) ?? 1,
    estimateMs: estimatedWorkMs(operation, input),
    isStreamed: (operation.rows ?? operation.file) !== undefined && isStreamed(operation, input),
    get fingerprint() {
      return fingerprint(input);
    },
    get json() {
      return operation.file === undefined ? undefined : JSON.stringify(input);
    },
  };
}

/** A validated request. It has facts, or it is quick, is computed at once and only has a number of hits. */
export type Read =
  | { readonly kind: 'facts'; readonly facts: Facts }
  | { readonly kind: 'quick'; readonly hits: number };

/**
 * Validates a request.
 *
 * @throws Problem
 */
export function read(operation: Operation, body: unknown, mayBeQuick: boolean): Read {
  const faults = requestFaults(operation, body);
  if (faults !== undefined) throw faults.problem();
  const input = body as object;
  if (mayBeQuick && operation.isQuick?.(input as never) === true) {
    return { kind: 'quick', hits: operation.hits?.(input as never) ?? 1 };
  }
  checkWork(operation, input);
  return { kind: 'facts', facts: factsOf(operation, input) };
}

/** @throws Problem for text that is not JSON */
export function inputOf(text: string, defaults: object): unknown {
  const value = parseLargeBody(text);
  return isRecord(value) ? { ...defaults, ...value } : value;
}

/** A message of a protocol, with large requests in it. */
export interface SplitMessage {
  /** The message without these requests, as JSON. */
  readonly envelope: string;
  /** The JSON of each request, and the part of the message to which the request belongs. */
  readonly requests: readonly { readonly place: number; readonly text: string }[];
}

/** Longest envelope in characters: the event loop parses it. */
const ENVELOPE_CHARS_MAX = 128 * 1024;

/**
 * Takes the arguments of computed operations out of a JSON-RPC message, or out of a list of them.
 *
 * @throws Problem for text that is not JSON, and for a message that is too long without these arguments
 */
export function split(text: string, isComputed: (name: unknown) => boolean): SplitMessage {
  const message = parseLargeBody(text);
  const requests = messagesIn(message).flatMap(({ params }, place) => {
    if (!isRecord(params) || !isComputed(params.name) || !isRecord(params.arguments)) return [];
    const request = { place, text: JSON.stringify(params.arguments) };
    params.arguments = {};
    return [request];
  });
  const envelope = JSON.stringify(message);
  if (envelope.length <= ENVELOPE_CHARS_MAX) return { envelope, requests };
  const fault = `The body has more than ${ENVELOPE_CHARS_MAX} characters besides the arguments of tools.`;
  const extras = { errors: [{ pointer: '', message: fault }], status: 413 };
  throw new Problem('validation_error', fault, extras);
}

/** Name of the one argument that stands for large ones. */
const LARGE = 'large';

/** The message with the texts of its large requests in their places. */
export function joined({ envelope, requests }: SplitMessage): unknown {
  const message: unknown = JSON.parse(envelope);
  const messages = messagesIn(message);
  for (const { place, text } of requests) {
    const { params } = messages[place] as { params: Record<string, unknown> };
    params.arguments = { [LARGE]: new LargeText(text) };
  }
  return message;
}

/** The text that stands for the arguments of a call. Without such a text, the arguments themselves. */
export function argumentsOf(given: unknown): unknown {
  const large = isRecord(given) ? given[LARGE] : undefined;
  return large instanceof LargeText ? large : given;
}

function messagesIn(message: unknown): readonly { readonly params?: unknown }[] {
  const all = Array.isArray(message) ? message : [message];
  return all.map((one) => (isRecord(one) ? one : {}));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

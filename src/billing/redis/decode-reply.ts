import type { RateState } from '../../core/billing-terms.js';
import { decodeOutcome, FieldReader, GateError, type GateOutcome } from '../gate.js';

/** Reply of a script: numbers, texts, or flat lists of them. */
export type Reply = readonly (string | number)[];

/**
 * Codes by which `steps.lua` says that it could not decide yet. It has changed nothing then. The
 * codes differ from those of `OUTCOME`.
 */
export const MISSING = {
  /** The API key has to be loaded. */
  key: 21,
  /** The account's funds have to be loaded. */
  account: 22,
  /** The ledger's database has to be asked for the answer of the idempotency key. */
  answer: 23,
  /** The step reached Redis too late for its caller. */
  time: 24,
} as const;

/** Code of a step that failed with an error, whose text follows; see `steps.lua`. */
export const FAILED = 25;

/** Missing data of a step. The step is sent again with them. */
export type Missing = (typeof MISSING)[keyof typeof MISSING];

const MISSING_CODES: readonly unknown[] = Object.values(MISSING);
/** Index of the first field of an outcome in a reply. */
const FIELDS_FROM = 4;

/**
 * Reads the reply to a step of `steps.lua`; the head of the script lists its fields.
 *
 * @returns the outcome, or what is missing for one
 * @throws GateError for a step that cannot be decided
 */
export function decodeReply(reply: Reply, limit: number): GateOutcome | Missing {
  const [code] = reply;
  if (isMissing(code)) return code;
  if (code === FAILED) throw new GateError('unanswered', String(reply[2]));
  const outcome = decodeOutcome(code, rateOf(reply, limit), new FieldReader(reply, FIELDS_FROM));
  if (outcome instanceof GateError) throw outcome;
  return outcome;
}

function isMissing(code: unknown): code is Missing {
  return MISSING_CODES.includes(code);
}

function rateOf([, , hits, untilOldestLeavesMs]: Reply, limit: number): RateState {
  const used = Number(hits);
  const resetSeconds = used === 0 ? 0 : Math.ceil(Number(untilOldestLeavesMs) / 1000);
  return { limit, remaining: Math.max(0, limit - used), resetSeconds };
}

import { MODES } from '../../core/billing-terms.js';
import type { AnsweredCharge } from '../../ledger/plan-booking.js';

/** A charge on its way to the ledger: one entry of a partition's stream. */
export interface UsageEvent extends AnsweredCharge {
  /** Id in the stream; its first part is Redis' time in ms. */
  readonly id: string;
}

/** What of an event is known before the charge. */
export type EventOrigin = Pick<
  UsageEvent,
  'requestId' | 'accountId' | 'mode' | 'keyId' | 'operation' | 'hits'
>;

/**
 * The start of an event's field `charge`; the script adds credits, free calls and ms. Its values hold
 * no blanks, which part them.
 */
export function packOrigin(origin: EventOrigin): string {
  const { requestId, accountId, mode, keyId, operation, hits } = origin;
  return `${requestId} ${accountId} ${mode} ${keyId} ${operation} ${hits}`;
}

/**
 * Reads an entry of a stream: `charge` (see `packOrigin`), and of a request with an idempotency key
 * `ikey`, `fingerprint`, `answer`, `remaining` (free calls left, or `-`).
 *
 * @param fields name, value, name, value, …, as Redis gives them
 * @throws TypeError when it is no event of the gate's
 */
export function decodeEvent(id: string, fields: readonly string[]): UsageEvent {
  const named = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    named.set(fields[index] ?? '', fields[index + 1] ?? '');
  }
  const text = (name: string): string => {
    const value = named.get(name);
    if (value === undefined) throw new TypeError(`Event ${id} has no field "${name}".`);
    return value;
  };
  const packed = text('charge').split(' ');
  const [requestId, accountId, mode, keyId, operation, hits, credits, freeCalls, atMs] = packed;
  const known = MODES.find((each) => each === mode);
  if (
    !requestId ||
    !accountId ||
    known === undefined ||
    !keyId ||
    !operation ||
    packed.length > 9
  ) {
    throw new TypeError(`Event ${id} is not one of the gate's.`);
  }
  const event = {
    id,
    requestId,
    accountId,
    mode: known,
    keyId,
    operation,
    credits: wholeNumber(id, credits),
    freeCalls: wholeNumber(id, freeCalls),
    hits: wholeNumber(id, hits),
    atMs: wholeNumber(id, atMs),
  };
  const key = named.get('ikey');
  if (key === undefined) return event;
  const remaining = text('remaining');
  const remainingFreeCalls = remaining === '-' ? null : wholeNumber(id, remaining);
  const answer = {
    key,
    fingerprint: text('fingerprint'),
    json: text('answer'),
    remainingFreeCalls,
  };
  return { ...event, answer };
}

function wholeNumber(id: string, text: string | undefined): number {
  const value = Number(text);
  if (text !== undefined && /^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new TypeError(`Event ${id} has "${text}" where a count belongs.`);
}

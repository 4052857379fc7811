import { type FreeUse, MODES, type Mode } from '../../core/billing-terms.js';
import type { AnsweredCharge } from '../../ledger/plan-booking.js';
import { unpackFreeUses } from './keys.js';

/** A charge on its way to the ledger: one entry of a partition's stream. */
export interface UsageEvent extends AnsweredCharge {
  /** Id in the stream. Its first part is the time of Redis in ms. */
  readonly id: string;
}

/** Free uses that count from a time other than that of their entries (see `steps.lua`). */
export interface DatedUses {
  readonly accountId: string;
  readonly mode: Mode;
  /** The uses with the dates that a clock which ran ahead gave them. */
  readonly uses: readonly FreeUse[];
  /** Time from which the uses count, ms since the epoch: when the wrong dates were noticed. */
  readonly atMs: number;
}

/**
 * Reads an entry of a stream, as `steps.lua` adds it: `request`, `account`, `mode`, `key`,
 * `operation`, `hits`, `credits`, `free_calls`, `at`. A request with an idempotency key also has
 * `ikey`, `fingerprint`, `answer` and `remaining` (free calls left, or `-`).
 *
 * @param fields name, value, name, value, …, as Redis gives them
 * @throws TypeError when it is not an event of the gate
 */
export function decodeEvent(id: string, fields: readonly string[]): UsageEvent {
  const named = namedFields(fields);
  const text = (name: string): string => {
    const value = named.get(name);
    if (value === undefined) throw new TypeError(`Event ${id} has no field "${name}".`);
    return value;
  };
  const name = (field: string): string => {
    const value = text(field);
    if (value === '') throw new TypeError(`Event ${id} has an empty field "${field}".`);
    return value;
  };
  const count = (field: string): number => {
    const value = Number(text(field));
    if (/^\d+$/.test(text(field)) && Number.isSafeInteger(value)) return value;
    throw new TypeError(`Event ${id} has "${text(field)}" where a count belongs.`);
  };
  const mode = MODES.find((one) => one === text('mode'));
  if (mode === undefined) throw new TypeError(`Event ${id} has an unknown mode.`);
  const event = {
    id,
    requestId: name('request'),
    accountId: name('account'),
    mode,
    keyId: name('key'),
    operation: name('operation'),
    credits: count('credits'),
    freeCalls: count('free_calls'),
    hits: count('hits'),
    atMs: count('at'),
  };
  const key = named.get('ikey');
  if (key === undefined) return event;
  const remainingFreeCalls = text('remaining') === '-' ? null : count('remaining');
  const answer = { key, fingerprint: text('fingerprint'), json: text('answer') };
  return { ...event, answer: { ...answer, remainingFreeCalls } };
}

/**
 * Reads an entry of a stream that changes the dates of free uses: `dated` (see `packFreeUses`),
 * `account`, `mode` and `at`. Returns undefined for any other entry.
 *
 * @throws TypeError when its uses cannot be read
 */
export function decodeDatedUses(fields: readonly string[]): DatedUses | undefined {
  const named = namedFields(fields);
  const [dated, accountId, at] = ['dated', 'account', 'at'].map((name) => named.get(name));
  const mode = MODES.find((one) => one === named.get('mode'));
  if (dated === undefined || accountId === undefined || mode === undefined) return undefined;
  return { accountId, mode, uses: unpackFreeUses(dated), atMs: Number(at) };
}

function namedFields(fields: readonly string[]): Map<string, string> {
  const named = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    named.set(fields[index] ?? '', fields[index + 1] ?? '');
  }
  return named;
}

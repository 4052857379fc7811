import { ANSWER_EXTRA_BYTES, IDEMPOTENCY_TTL_MS, type Mode } from '../../core/billing-terms.js';
import { HOUR_MS } from '../../core/time.js';
import { ownerOf } from '../../ledger/charge.js';
import type { SqliteLedger } from '../../ledger/sqlite-ledger.js';
import type { WriterStep } from '../gate.js';

/** An answer and its idempotency key. */
type Answer = NonNullable<WriterStep['idempotency']>;

interface Owner {
  readonly accountId: string;
  readonly mode: Mode;
}

/** Answers that were stored in one hour. */
interface HourOfAnswers {
  readonly hour: number;
  bytes: number;
}

/** Accounts kept; a larger map is emptied. */
const ACCOUNTS_MAX = 100_000;

/**
 * Limits the bytes of the idempotent answers that an account keeps in a mode. Like `steps.lua`, it
 * counts bytes by the hour in which the answers were stored, so expired answers can be subtracted
 * without being read again. The answers of an account are read once, at its first request with an
 * idempotency key. Only this writer stores answers, so writes of other connections do not change
 * the counts.
 */
export class AnswerBytes {
  readonly #ledger: SqliteLedger;
  readonly #bytesMax: number;
  readonly #accounts = new Map<string, HourOfAnswers[]>();

  constructor(ledger: SqliteLedger, bytesMax: number) {
    this.#ledger = ledger;
    this.#bytesMax = bytesMax;
  }

  /** Time until there is room for an answer, ms; 0 if there is room now. */
  waitMs(owner: Owner, answer: Answer, atMs: number): number {
    const hours = this.#hoursOf(owner);
    const gone = hours.findIndex(({ hour }) => leavesAtMs(hour) > atMs);
    hours.splice(0, gone === -1 ? hours.length : gone);
    let excess = sizeOf(answer) - this.#bytesMax;
    for (const { bytes } of hours) excess += bytes;
    if (excess <= 0) return 0;
    for (const { hour, bytes } of hours) {
      excess -= bytes;
      if (excess <= 0) return leavesAtMs(hour) - atMs;
    }
    return IDEMPOTENCY_TTL_MS;
  }

  /** Counts an answer, after it was stored. */
  add(owner: Owner, answer: Answer, atMs: number): void {
    const hours = this.#hoursOf(owner);
    const hour = Math.floor(atMs / HOUR_MS);
    const bytes = sizeOf(answer);
    const last = hours.at(-1);
    // Keeps the hours in order if the clock was set back.
    if (last !== undefined && last.hour >= hour) last.bytes += bytes;
    else hours.push({ hour, bytes });
  }

  /** Forgets all counts, because a transaction that they include was undone. */
  forget(): void {
    this.#accounts.clear();
  }

  #hoursOf({ accountId, mode }: Owner): HourOfAnswers[] {
    const name = ownerOf({ accountId, mode });
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    if (this.#accounts.size >= ACCOUNTS_MAX) this.#accounts.clear();
    const hours = [...this.#ledger.answerBytes(accountId, mode)];
    this.#accounts.set(name, hours);
    return hours;
  }
}

function sizeOf({ key, answerJson }: Answer): number {
  return answerJson.length + key.length + ANSWER_EXTRA_BYTES;
}

/** When the last answer stored in that hour expires. */
function leavesAtMs(hour: number): number {
  return (hour + 1) * HOUR_MS + IDEMPOTENCY_TTL_MS;
}

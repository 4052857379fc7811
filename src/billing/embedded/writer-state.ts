import { FREE_WINDOW_MS, type FreeUse, type Mode } from '../../core/billing-terms.js';
import type { SqlValue } from '../../database/sqlite.js';
import type { KeyInfo } from './writer-protocol.js';

/** What the writer keeps of an account in one mode between batches. */
export interface AccountState {
  readonly accountId: string;
  readonly mode: Mode;
  paidCredits: number;
  /** Uses of the free tier's window, oldest first. */
  freeUses: readonly FreeUse[];
  /** Credits spent in this transaction and not yet taken from the balance. */
  spent: number;
}

/** What the writer keeps of a key between batches. */
export interface KeyState {
  readonly info: KeyInfo;
  readonly account: AccountState;
}

/** A row of `id, account_id, mode, revoked_at_ms` as the gate knows keys; null for no row. */
export function keyInfo(row: SqlValue[] | undefined): KeyInfo | null {
  if (row === undefined) return null;
  const [id, accountId, mode, revokedAtMs] = row;
  return {
    id: String(id),
    accountId: String(accountId),
    mode: mode === 'test' ? 'test' : 'live',
    revoked: revokedAtMs !== null,
  };
}

/** Notes free calls just booked and lets go of those that have left the window. */
export function bookFreeUse(
  account: AccountState,
  calls: number,
  atMs: number,
  nowMs: number,
): void {
  const uses = account.freeUses.filter((use) => use.atMs + FREE_WINDOW_MS > nowMs);
  uses.push({ atMs, calls });
  account.freeUses = uses;
}

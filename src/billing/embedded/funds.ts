import {
  type AccountFunds,
  FREE_CALLS_PER_WINDOW,
  FREE_WINDOW_MS,
  type FreeUse,
} from '../../core/billing-terms.js';

/** Who pays for a request. */
export type Payment =
  | { readonly kind: 'paid' }
  | { readonly kind: 'free'; readonly remainingFreeCalls: number; readonly atMs: number }
  | { readonly kind: 'free_tier_exhausted'; readonly resetsAtMs: number }
  | { readonly kind: 'insufficient_credits' };

/**
 * Decides who pays `cost` (specification 8, decision 0001); changes nothing. A paid balance above
 * zero pays, and only it; at zero the free tier pays. A free call leaves its window exactly 24 h
 * after it was made; it is booked no earlier than the one before it, so that a clock set back
 * frees nothing early.
 */
export function decidePayment(funds: AccountFunds, cost: number, nowMs: number): Payment {
  if (funds.paidCredits > 0) {
    return { kind: funds.paidCredits >= cost ? 'paid' : 'insufficient_credits' };
  }
  const uses = funds.freeUses.filter((use) => use.atMs + FREE_WINDOW_MS > nowMs);
  const used = uses.reduce((sum, use) => sum + use.calls, 0);
  const left = FREE_CALLS_PER_WINDOW - used;
  if (left >= cost) {
    const atMs = Math.max(nowMs, uses.at(-1)?.atMs ?? nowMs);
    return { kind: 'free', remainingFreeCalls: left - cost, atMs };
  }
  if (left > 0 || cost > FREE_CALLS_PER_WINDOW) return { kind: 'insufficient_credits' };
  return { kind: 'free_tier_exhausted', resetsAtMs: resetAtMs(uses, cost - left) };
}

/** When `calls` of the uses will have left the window. */
function resetAtMs(uses: readonly FreeUse[], calls: number): number {
  let freed = 0;
  let atMs = 0;
  for (const use of uses) {
    freed += use.calls;
    atMs = use.atMs + FREE_WINDOW_MS;
    if (freed >= calls) break;
  }
  return atMs;
}

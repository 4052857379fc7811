import { type AccountFunds, FREE_CALLS_PER_WINDOW, FREE_WINDOW_MS } from '../core/billing-terms.js';

/** Free calls an account has, and when those it has used are its own again. */
export interface FreeCalls {
  readonly left: number;
  /** In order of time; none for those that are left. */
  readonly returning: readonly { readonly atMs: number; readonly calls: number }[];
}

/** Free calls left now; each comes back exactly 24 hours after it was used. */
export function freeCallsOf({ freeUses }: AccountFunds, nowMs: number): FreeCalls {
  const returning = freeUses
    .map(({ atMs, calls }) => ({ atMs: atMs + FREE_WINDOW_MS, calls }))
    .filter(({ atMs }) => atMs > nowMs);
  const used = returning.reduce((sum, { calls }) => sum + calls, 0);
  return { left: Math.max(0, FREE_CALLS_PER_WINDOW - used), returning };
}

import { FREE_CALLS_PER_WINDOW } from '../../../core/billing-terms.js';

/** What pays for a file. The free tier pays for a request as a whole or not at all. */
export function fileCostText(credits: number): string {
  return credits > FREE_CALLS_PER_WINDOW
    ? `${credits} credits of your account, and no free calls`
    : `${credits} credits or free calls of your account`;
}

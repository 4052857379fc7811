import { FREE_CALLS_PER_WINDOW } from '../../core/billing-terms.js';

/** Says what pays for a file. Free calls pay for a whole request or for none of it. */
export function fileCostText(credits: number): string {
  return credits > FREE_CALLS_PER_WINDOW
    ? `${credits} credits of your account, and no free calls`
    : `${credits} credits or free calls of your account`;
}

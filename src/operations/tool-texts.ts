import { priceText } from '../core/billing-terms.js';
import { DEFAULTS } from './fields.js';

// Sentences that the descriptions of several MCP tools share.

/** What the omitted fields mean. */
export const WITH_DEFAULTS = `Country defaults to ${DEFAULTS.country}, clothing to ${DEFAULTS.clothing}, posture to ${DEFAULTS.posture}.`;

/** Prevents callers from asking for a slumped posture when they mean a sitting dimension. */
export const POSTURE_TRAP = 'Omit `posture` for sitting dimensions: `sitting` means slumped.';

/** Tells how to find measurement names. The field `unit` lists the units. */
export const EXACT_NAMES = 'Names: get_catalog.';

/** Keeps callers from combining percentiles of several dimensions. */
export const NO_SUCH_PERSON =
  'Nobody is at the 95th percentile of everything: use population_share or design_ranges for several dimensions together.';

/** The price of a call. */
export const COSTS_ONE = 'Costs 1 credit or free call on success.';

/** The price of a call that costs nothing. */
export const COSTS_NOTHING = 'Costs nothing; counts against the rate limit.';

/** The price of a call that returns several answers. */
export function costsOnePer(thing: string): string {
  return `Costs 1 credit or free call per ${thing} on success.`;
}

/** The price of a call that costs the same for every answer. */
export function costsFixed(credits: number): string {
  return `Costs ${priceText(credits)} on success.`;
}

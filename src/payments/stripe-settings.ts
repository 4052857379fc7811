import { PACKS, type PackCredits } from '../core/billing-terms.js';
import type { StripeSettings } from './stripe-provider.js';

/** The format of each variable, as a pattern and in words. */
const VARIABLES = {
  STRIPE_SECRET_KEY: [/^(sk|rk)_(live|test)_\w+$/, 'a secret or restricted key of Stripe'],
  STRIPE_WEBHOOK_SECRET: [/^whsec_[\w+/=]+$/, 'the signing secret of a webhook endpoint, whsec_…'],
  STRIPE_PRICE_100: [/^price_\w+$/, 'the id of a price, price_…'],
  STRIPE_PRICE_500: [/^price_\w+$/, 'the id of a price, price_…'],
  STRIPE_PRICE_1000: [/^price_\w+$/, 'the id of a price, price_…'],
} as const satisfies Record<string, readonly [RegExp, string]>;

/**
 * Reads the settings to sell through Stripe. Either all variables must be set or none.
 *
 * @param textOf value of a variable, empty if it is not set
 * @param faults gets a sentence for every fault; the sentences never contain values
 * @returns undefined if no variable is set or there is a fault
 */
export function readStripeSettings(
  textOf: (name: string) => string,
  serviceEnv: 'preview' | 'production',
  faults: string[],
): StripeSettings | undefined {
  const names = Object.keys(VARIABLES) as (keyof typeof VARIABLES)[];
  const texts = new Map<string, string>(names.map((name) => [name, textOf(name)]));
  const value = (name: string) => texts.get(name) ?? '';
  const set = names.filter((name) => value(name) !== '');
  if (set.length === 0) return undefined;
  const before = faults.length;
  for (const name of names) {
    const [pattern, meaning] = VARIABLES[name];
    if (value(name) === '') faults.push(`${name} must be set together with ${set.join(', ')}.`);
    else if (!pattern.test(value(name))) faults.push(`${name} must be ${meaning}.`);
  }
  const secretKey = value('STRIPE_SECRET_KEY');
  if (serviceEnv === 'production' && /^.._test_/.test(secretKey)) {
    faults.push('STRIPE_SECRET_KEY must be a live key in production: test cards pay nothing.');
  }
  if (faults.length > before) return undefined;
  const priceIds = Object.fromEntries(
    PACKS.map((credits) => [credits, value(`STRIPE_PRICE_${credits}`)]),
  ) as Record<PackCredits, string>;
  return { secretKey, webhookSecret: value('STRIPE_WEBHOOK_SECRET'), priceIds };
}

import type { ChargeOwner, Unbooked } from '../billing/worker/unbooked.js';
import { readConfig } from '../config.js';
import { MODES, type Mode } from '../core/billing-terms.js';
import { RedisOpenError } from '../database/errors.js';
import { isPostgresUrl } from '../database/url.js';

/** Charges that are not in the ledger yet, or the reason why they are unknown. */
export type UnbookedNote<Charges> =
  | { readonly charges: Charges; readonly why?: undefined }
  | { readonly charges: null; readonly why: string };

/**
 * Reads from Redis which charges of an account are not in the ledger yet. The function returns undefined on SQLite,
 * where each charge is booked at once.
 */
export function unbookedOfAccount(
  owner: ChargeOwner,
): Promise<UnbookedNote<Readonly<Record<Mode, Unbooked>>> | undefined> {
  return read(async (read) => {
    const [live, test] = await Promise.all(MODES.map((mode) => read({ ...owner, mode })));
    return { live, test } as Readonly<Record<Mode, Unbooked>>;
  });
}

/** Reads which charges of all accounts are not in the ledger yet. */
export function unbookedOfAll(): Promise<UnbookedNote<Unbooked> | undefined> {
  return read((read) => read());
}

/** The charges as a sentence; empty for none. */
export function unbookedText({ events, credits, freeCalls, ageSeconds }: Unbooked): string {
  if (events === 0) return '';
  const what = `${credits} credits and ${freeCalls} free calls of ${events} requests`;
  return `Not booked yet: ${what}; the oldest has waited for ${Math.round(ageSeconds)} s. Workers book them.`;
}

type ReadCharges = (owner?: ChargeOwner & { readonly mode: Mode }) => Promise<Unbooked>;

async function read<Charges>(
  use: (read: ReadCharges) => Promise<Charges>,
): Promise<UnbookedNote<Charges> | undefined> {
  const { databaseUrl, redisUrl } = readConfig(process.env);
  if (!isPostgresUrl(databaseUrl)) return undefined;
  const unknown = 'It is not known what is not booked yet: ';
  if (redisUrl === undefined) return { charges: null, why: `${unknown}REDIS_URL is not set.` };
  const [{ checkRedis }, { connectWorker, waitUntilReady }, { unbookedCharges }] =
    await Promise.all([
      import('../billing/redis/check-redis.js'),
      import('../billing/worker/connect.js'),
      import('../billing/worker/unbooked.js'),
    ]);
  try {
    await checkRedis(redisUrl);
  } catch (error) {
    if (!(error instanceof RedisOpenError)) throw error;
    return { charges: null, why: unknown + error.message };
  }
  const redis = connectWorker(redisUrl);
  try {
    await waitUntilReady(redis, CONNECT_MAX_MS);
    return { charges: await use((owner) => unbookedCharges(redis, owner)) };
  } finally {
    redis.disconnect();
  }
}

const CONNECT_MAX_MS = 5000;

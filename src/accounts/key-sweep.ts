import type { Logger } from 'pino';
import type { Database } from '../database/schema.js';
import { endRotatedKeys } from './rotate-key.js';

/** With the gate's own look at the keys every 250 ms, a key ends well within a second. */
const SWEEP_EVERY_MS = 250;

/**
 * Ends rotated keys from now on. Every process that serves does it: the first to see a key whose
 * time has come revokes it, as its owner could, and so all gates hear of it in the way they know.
 *
 * @returns stops it, once the look under way has ended
 */
export function startKeySweep(db: Database, log: Pick<Logger, 'error'>): () => Promise<void> {
  let looking: Promise<unknown> | undefined;
  let failing = false;
  const look = () => {
    // A slow database must not be asked twice at once.
    looking ??= endRotatedKeys(db)
      .then(
        () => {
          failing = false;
        },
        (error: unknown) => {
          // Once, not four times a second for as long as the database is away.
          if (!failing) log.error({ err: error }, 'rotated keys could not be ended; trying again');
          failing = true;
        },
      )
      .finally(() => {
        looking = undefined;
      });
  };
  look();
  const timer = setInterval(look, SWEEP_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}

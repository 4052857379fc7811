import type { Mode } from '../../core/billing-terms.js';
import { BoundedMap } from '../../core/bounded-map.js';
import { apiKeyKey, eventsKey, fundsKey, rateKey, stateKey } from './keys.js';

/** The parts of an API key that never change, with the names of its keys in Redis. */
export interface KnownKey {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly partition: number;
  readonly stateKey: string;
  readonly apiKeyKey: string;
  readonly rateKey: string;
  readonly fundsKey: string;
  readonly eventsKey: string;
}

const KNOWN_MAX = 100_000;
const UNKNOWN_MAX = 10_000;
/** How long an unknown hash is not looked up again. Keys are random, so no new key will have this hash. */
const UNKNOWN_MS = 5000;

/**
 * Keys that this process has seen. The oldest key is dropped first. Only Redis knows which keys are
 * revoked; the first step with a revoked key tells this process.
 */
export class KeyCache {
  readonly #known = new BoundedMap<string, KnownKey>(KNOWN_MAX);
  readonly #unknownUntilMs = new BoundedMap<string, number>(UNKNOWN_MAX);

  /** The key with that hash; null for a hash that was just found to be unknown. */
  get(keyHash: string): KnownKey | null | undefined {
    const known = this.#known.get(keyHash);
    if (known !== undefined) return known;
    const untilMs = this.#unknownUntilMs.get(keyHash);
    return untilMs !== undefined && untilMs > performance.now() ? null : undefined;
  }

  add(
    keyHash: string,
    partition: number,
    key: { readonly id: string; readonly accountId: string; readonly mode: Mode },
  ): KnownKey {
    const { id, accountId, mode } = key;
    const known = {
      id,
      accountId,
      mode,
      partition,
      stateKey: stateKey(partition),
      apiKeyKey: apiKeyKey(partition, keyHash),
      rateKey: rateKey(partition, id),
      fundsKey: fundsKey(partition, accountId, mode),
      eventsKey: eventsKey(partition),
    };
    this.#known.set(keyHash, known);
    return known;
  }

  /** Notes that a hash is unknown, or that its key is revoked. */
  addUnknown(keyHash: string): void {
    this.#known.delete(keyHash);
    this.#unknownUntilMs.set(keyHash, performance.now() + UNKNOWN_MS);
  }
}

import type { Mode } from '../../core/billing-terms.js';
import { apiKeyKey, eventsKey, fundsKey, rateKey, stateKey } from './keys.js';

/** What never changes of an API key, with the names Redis knows its things by. */
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
/** For so long a hash that was no key's is not looked for again; keys are random, so none becomes one. */
const UNKNOWN_MS = 5000;

/** Keys seen by this process; the oldest goes first. Whether one is revoked only Redis knows. */
export class KeyCache {
  readonly #known = new Map<string, KnownKey>();
  readonly #unknownUntilMs = new Map<string, number>();

  /** The key with that hash; null for one that was found not to be there just now. */
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
    put(this.#known, keyHash, known, KNOWN_MAX);
    return known;
  }

  addUnknown(keyHash: string): void {
    put(this.#unknownUntilMs, keyHash, performance.now() + UNKNOWN_MS, UNKNOWN_MAX);
  }
}

function put<Value>(map: Map<string, Value>, name: string, value: Value, max: number): void {
  if (map.size >= max) {
    const oldest = map.keys().next();
    if (oldest.done !== true) map.delete(oldest.value);
  }
  map.delete(name);
  map.set(name, value);
}

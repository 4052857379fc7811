import { BoundedMap } from '../core/bounded-map.js';
import { MINUTE_MS } from '../core/time.js';

/** Maximum number of networks whose failures are counted. The oldest network is dropped first. */
const SOURCES_MAX = 100_000;
/** Valid keys that are remembered. The key that was not used for the longest time is forgotten first. */
const KEYS_MAX = 100_000;
/** Maximum number of networks remembered for a key. The oldest network is dropped first. */
const NETWORKS_MAX = 8;

/** State of a network that has sent unknown keys. */
interface Source {
  /** Unknown keys in the minute that began with the first of them. */
  failures: number;
  endsAtMs: number;
  /** Keys that are being looked up. */
  trying: number;
  /** Requests that wait for the result of those. */
  readonly waiting: (() => void)[];
}

/** The refusal of a key that was not looked up. */
export interface GuessesLimited {
  readonly kind: 'guesses_limited';
  /** Unknown keys that a network may send in a minute. */
  readonly max: number;
  readonly retryAfterSeconds: number;
}

/**
 * Limits how many unknown keys a network may send in a minute. Further keys are refused before they
 * are looked up, except those that were valid from this network not long ago. Counts are held in
 * memory, by each process for itself.
 */
export class KeyGuesses {
  readonly #max: number;
  readonly #now: () => number;
  readonly #sources = new BoundedMap<string, Source>(SOURCES_MAX);
  /** Hashes of keys that were valid not long ago, with the networks from which they came. */
  readonly #recent = new BoundedMap<string, readonly string[]>(KEYS_MAX);

  /**
   * @param max unknown keys that a network may send in a minute
   * @param now a clock that never goes back, in milliseconds
   */
  constructor(max: number, now: () => number = () => performance.now()) {
    this.#max = max;
    this.#now = now;
  }

  /** The refusal of a key that may not be looked up now; undefined for any other. Counts nothing. */
  refusal(network: string, keyHash: string): GuessesLimited | undefined {
    // Nearly always there is no such network, and this runs in every request.
    if (this.#sources.size === 0) return undefined;
    const source = this.#sources.get(network);
    if (source === undefined || this.trusts(network, keyHash)) return undefined;
    return this.#limitOf(source);
  }

  /** Whether the key was valid from this network not long ago: it may always be looked up. */
  trusts(network: string, keyHash: string): boolean {
    const networks = this.#recent.get(keyHash);
    if (networks !== undefined) this.#recent.set(keyHash, networks);
    return networks?.includes(network) ?? false;
  }

  /** Notes that a key which `ask` did not look up has turned out to be invalid. */
  failed(network: string, keyHash: string): void {
    this.#failed(this.#sourceOf(network), keyHash);
  }

  /**
   * Looks a key up, unless that is refused. At once, at most as many unknown keys of a network are
   * looked up as it may still send. Further requests wait for the results.
   *
   * @returns whether the key is valid
   * @throws the errors of the look-up
   */
  async ask(
    network: string,
    keyHash: string,
    lookUp: () => Promise<boolean>,
  ): Promise<boolean | GuessesLimited> {
    const source = this.#sourceOf(network);
    while (this.#isBusy(source)) {
      await new Promise<void>((resolve) => source.waiting.push(resolve));
    }
    const limit = this.#limitOf(source);
    if (limit !== undefined) return limit;
    source.trying++;
    try {
      const isValid = await lookUp();
      if (isValid) this.#trust(network, keyHash);
      else this.#failed(source, keyHash);
      return isValid;
    } finally {
      source.trying--;
      this.#release(network, source);
    }
  }

  #trust(network: string, keyHash: string): void {
    const others = this.#recent.get(keyHash)?.filter((other) => other !== network) ?? [];
    this.#recent.set(keyHash, [...others, network].slice(-NETWORKS_MAX));
  }

  #sourceOf(network: string): Source {
    const known = this.#sources.get(network);
    if (known !== undefined) return known;
    const source = { failures: 0, endsAtMs: 0, trying: 0, waiting: [] };
    this.#sources.set(network, source);
    return source;
  }

  /** Whether the keys that are being looked up could use up the allowed number of unknown keys. */
  #isBusy({ failures, trying }: Source): boolean {
    return trying > 0 && failures < this.#max && failures + trying >= this.#max;
  }

  #limitOf(source: Source): GuessesLimited | undefined {
    const leftMs = source.endsAtMs - this.#now();
    if (leftMs <= 0) source.failures = 0;
    if (source.failures < this.#max) return undefined;
    const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
    return { kind: 'guesses_limited', max: this.#max, retryAfterSeconds };
  }

  #failed(source: Source, keyHash: string): void {
    this.#recent.delete(keyHash);
    const nowMs = this.#now();
    if (nowMs >= source.endsAtMs) {
      source.failures = 0;
      source.endsAtMs = nowMs + MINUTE_MS;
    }
    source.failures++;
  }

  /** Lets as many requests go on as may be looked up. Lets all go on if they will be refused. */
  #release(network: string, source: Source): void {
    const free = this.#max - source.failures - source.trying;
    const count = source.failures >= this.#max ? source.waiting.length : Math.max(0, free);
    for (const resume of source.waiting.splice(0, count)) resume();
    const idle = source.trying === 0 && source.waiting.length === 0 && count === 0;
    if (!idle || source.failures > 0 || this.#sources.get(network) !== source) return;
    this.#sources.delete(network);
  }
}

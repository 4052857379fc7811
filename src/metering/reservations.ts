import { BoundedMap } from '../core/bounded-map.js';

/** Computations that an account may have under way at once, in each mode. */
export const COMPUTATIONS_MAX = 2;
/** Keys whose account is remembered. */
const OWNERS_MAX = 10_000;

/** A computation under way. */
interface Entry {
  /** Rises with each computation. */
  readonly number: number;
  cost: number;
  /** Its charging step while that is under way. */
  charge?: Promise<unknown> | undefined;
}

/** The price of a computation under way. */
export interface Reservation {
  /** Account and mode; the hash of the key until the account is known. */
  readonly owner: string;
  /** What the computations of the owner up to this one cost together: later ones do not count. */
  readonly total: number;
  /** How many the owner has under way up to this one. */
  readonly count: number;
  /** Counts the computation for the account of its key, once that is known. */
  moveTo(account: string): void;
  /** Charges the computation. The price is reserved until the step has ended, however it ends. */
  charging<Outcome>(step: Promise<Outcome>): Promise<Outcome>;
  /** Waits for the charging steps of the owner's computations up to this one. */
  chargesEnded(): Promise<void>;
  /** Gives the price free, because it is charged; the computation still counts. */
  paid(): void;
  /** Gives the price and the place free; further calls do nothing. */
  release(): void;
}

/**
 * The prices of the computations under way, in memory: no computation begins unless the account can
 * pay for all of them. A key is its own owner until the gate has told its account.
 */
export class Reservations {
  readonly #owners = new Map<string, Set<Entry>>();
  readonly #accounts = new BoundedMap<string, string>(OWNERS_MAX);
  #last = 0;

  /** Reserves a price; undefined when the owner has as many computations as it may. */
  take(keyHash: string, cost: number): Reservation | undefined {
    let owner = this.#accounts.get(keyHash) ?? keyHash;
    if ((this.#owners.get(owner)?.size ?? 0) >= COMPUTATIONS_MAX) return undefined;
    const entry: Entry = { number: ++this.#last, cost };
    this.#add(owner, entry);
    let released = false;
    const upToThis = () =>
      [...(this.#owners.get(owner) ?? [])].filter(({ number }) => number <= entry.number);
    return {
      get owner() {
        return owner;
      },
      get total() {
        return upToThis().reduce((sum, one) => sum + one.cost, 0);
      },
      get count() {
        return upToThis().length;
      },
      moveTo: (account) => {
        this.#accounts.set(keyHash, account);
        if (released || owner === account) return;
        this.#remove(owner, entry);
        owner = account;
        this.#add(owner, entry);
      },
      charging: (step) => {
        entry.charge = step;
        const ended = () => {
          entry.charge = undefined;
          entry.cost = 0;
        };
        step.then(ended, ended);
        return step;
      },
      async chargesEnded() {
        await Promise.allSettled(upToThis().map(({ charge }) => charge));
      },
      paid: () => {
        entry.cost = 0;
      },
      release: () => {
        released = true;
        this.#remove(owner, entry);
      },
    };
  }

  #add(owner: string, entry: Entry): void {
    const entries = this.#owners.get(owner);
    if (entries === undefined) this.#owners.set(owner, new Set([entry]));
    else entries.add(entry);
  }

  #remove(owner: string, entry: Entry): void {
    const entries = this.#owners.get(owner);
    entries?.delete(entry);
    if (entries?.size === 0) this.#owners.delete(owner);
  }
}

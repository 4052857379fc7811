import { BoundedMap } from '../core/bounded-map.js';

/** Computations that an account may have under way at once, in each mode. */
export const COMPUTATIONS_MAX = 2;
/** Keys whose account is remembered. */
const OWNERS_MAX = 10_000;

interface Owner {
  readonly name: string;
  count: number;
  cost: number;
}

/** The price of a computation under way. */
export interface Reservation {
  /** What all computations of the owner cost together, this one included. */
  readonly total: number;
  /** How many the owner has under way, this one included. */
  readonly count: number;
  /** Counts the computation for the account of its key, once that is known. */
  moveTo(account: string): void;
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
  readonly #owners = new Map<string, Owner>();
  readonly #accounts = new BoundedMap<string, string>(OWNERS_MAX);

  /** Reserves a price; undefined when the owner has as many computations as it may. */
  take(keyHash: string, price: number): Reservation | undefined {
    let cost = price;
    const name = this.#accounts.get(keyHash) ?? keyHash;
    if ((this.#owners.get(name)?.count ?? 0) >= COMPUTATIONS_MAX) return undefined;
    let owner = this.#add(name, cost);
    let released = false;
    return {
      get total() {
        return owner.cost;
      },
      get count() {
        return owner.count;
      },
      moveTo: (account) => {
        this.#accounts.set(keyHash, account);
        if (released || owner.name === account) return;
        this.#remove(owner, cost);
        owner = this.#add(account, cost);
      },
      paid: () => {
        if (!released) owner.cost -= cost;
        cost = 0;
      },
      release: () => {
        if (released) return;
        released = true;
        this.#remove(owner, cost);
      },
    };
  }

  #add(name: string, cost: number): Owner {
    const owner = this.#owners.get(name) ?? { name, count: 0, cost: 0 };
    this.#owners.set(name, owner);
    owner.count++;
    owner.cost += cost;
    return owner;
  }

  #remove(owner: Owner, cost: number): void {
    owner.count--;
    owner.cost -= cost;
    if (owner.count === 0) this.#owners.delete(owner.name);
  }
}

import { availableParallelism } from 'node:os';
import { FairQueue } from '../core/fair-queue.js';
import { isCommonPassword } from './common-passwords.js';
import { UserError, type UserField } from './errors.js';
import { newToken } from './secret-token.js';

/** Minimum and maximum length of a password in code points, after normalising. */
export const PASSWORD_CHARS_MIN = 12;
export const PASSWORD_CHARS_MAX = 200;

/**
 * Argon2id (the library's default) with the lowest cost that OWASP recommends: 19 MiB, two passes, one
 * lane (Password Storage Cheat Sheet, cheatsheetseries.owasp.org, "Argon2id").
 */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Loads the library, which is native code. The start does not wait for it, and the first password finds it loaded. */
export function loadHashing(): Promise<typeof import('@node-rs/argon2')> {
  return import('@node-rs/argon2');
}

/** Cost of Argon2id: memory in KiB, and passes over it. */
type Cost = { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: 1 };

/**
 * libuv's thread pool has four threads by default. Files, flushes and look-ups of host names need
 * the others.
 */
const AT_ONCE_MAX = 2;
/**
 * Maximum number of hashes in the queue: about one second of work. A longer queue would delay
 * everybody.
 */
const WAITING_MAX = 32;

/**
 * Maximum number of hashes that a process computes at once. All processes of the machine together
 * use half of its cores for hashes, so that predictions keep the rest. Each process may compute at
 * least one hash.
 */
export function hashesAtOnce(cores: number, processes = 1): number {
  return Math.max(1, Math.min(AT_ONCE_MAX, Math.floor(cores / 2 / processes)));
}

/**
 * Checks a new password and normalises it for hashing.
 *
 * @param email the user's address, which the password must not contain
 * @throws UserError `invalid_field` of `field`
 */
export function readNewPassword(
  text: string,
  email: string,
  field: UserField = 'password',
): string {
  const password = normalised(text);
  const chars = [...password].length;
  const refuse = (message: string) => new UserError('invalid_field', message, { field });
  if (chars < PASSWORD_CHARS_MIN) {
    throw refuse(`Choose a password of at least ${PASSWORD_CHARS_MIN} characters.`);
  }
  if (chars > PASSWORD_CHARS_MAX) {
    throw refuse(`Choose a password of at most ${PASSWORD_CHARS_MAX} characters.`);
  }
  const name = email.slice(0, email.indexOf('@')).toLowerCase();
  const isOwn = name.length > 3 && password.toLowerCase().replace(name, '').length < 8;
  if (isOwn || isCommonPassword(password)) {
    throw refuse('This password is easy to guess. Choose another one, such as four random words.');
  }
  return password;
}

/**
 * Computes Argon2 hashes outside the event loop, few at a time. The callers take turns. A caller
 * with many hashes in the queue delays and displaces only its own hashes.
 */
export class Passwords {
  readonly #cost: Cost;
  readonly #turns: FairQueue;
  #decoy: Promise<string> | undefined;
  /** Number of hashes computed so far. Tests use it to compare the work of two answers. */
  hashes = 0;

  /**
   * @param atOnce maximum number of hashes computed at the same time
   * @param cost of Argon2id; the service keeps the default
   */
  constructor(atOnce: number = hashesAtOnce(availableParallelism()), cost: Cost = ARGON2ID) {
    this.#turns = new FairQueue(atOnce, WAITING_MAX, busy);
    this.#cost = cost;
  }

  /**
   * Argon2id hash of a password from `readNewPassword`, as a PHC string.
   *
   * @param who the caller: a network, or a user who is signed in
   * @throws UserError `busy`
   */
  async hash(password: string, who: string): Promise<string> {
    return await this.#inTurn(who, async () => (await loadHashing()).hash(password, this.#cost));
  }

  /**
   * Whether a password matches a hash. Without a hash, the same work is done, so the response time
   * does not reveal that there is none.
   *
   * @param who the caller, as for `hash`
   * @throws UserError `busy`
   */
  async verify(hashed: string | undefined, text: string, who: string): Promise<boolean> {
    const password = normalised(text.slice(0, 2 * PASSWORD_CHARS_MAX));
    // A hash of a random token that nobody knows: no password matches it.
    const { hash, verify } = await loadHashing();
    this.#decoy ??= hash(newToken(), this.#cost);
    const decoy = await this.#decoy;
    const same = await this.#inTurn(who, () => verify(hashed ?? decoy, password));
    return same && hashed !== undefined;
  }

  /**
   * Refuses a caller whose hash would find no place in the queue, before anything is stored for the
   * request.
   *
   * @throws UserError `busy`
   */
  refuseIfFull(who: string): void {
    if (this.#turns.isFull(who)) throw busy();
  }

  #inTurn<Result>(who: string, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(() => {
      this.hashes++;
      return work();
    }, who);
  }
}

function busy(): UserError {
  const message = 'Many people are signing in right now. Please try again in a few seconds.';
  return new UserError('busy', message, { retryAfterSeconds: 5 });
}

/** Keyboards may encode the same characters differently; NFC makes them equal. */
function normalised(text: string): string {
  return text.normalize('NFC');
}

import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
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

/** Cost of Argon2id: memory in KiB, and passes over it. */
type Cost = { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: 1 };

const HALF_OF_PROCESSORS = Math.max(1, Math.floor(availableParallelism() / 2));

/** Most hashes in the queue: about one second of work; a longer queue would delay everybody. */
const WAITING_MAX = 32;

/**
 * Checks a new password and normalises it for hashing.
 *
 * @param email address of its user, which it must not contain
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

/** Argon2 outside the event loop, few at a time, so that predictions keep enough of the processor. */
export class Passwords {
  readonly #atOnce: number;
  readonly #cost: Cost;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #decoy: Promise<string> | undefined;
  /** Number of hashes computed so far; tests compare the work of two answers by it. */
  hashes = 0;

  /**
   * @param atOnce most hashes computed at the same time; by default half of the processors
   * @param cost of Argon2id; the service keeps the default
   */
  constructor(atOnce: number = HALF_OF_PROCESSORS, cost: Cost = ARGON2ID) {
    this.#atOnce = atOnce;
    this.#cost = cost;
  }

  /**
   * Argon2id hash of a password from `readNewPassword`, as a PHC string.
   *
   * @throws UserError `busy`
   */
  async hash(password: string): Promise<string> {
    return await this.#inTurn(() => hash(password, this.#cost));
  }

  /**
   * Whether a password matches a hash. Without a hash it does the same work, so that the response time
   * does not reveal whether there is one.
   *
   * @throws UserError `busy`
   */
  async verify(hashed: string | undefined, text: string): Promise<boolean> {
    const password = normalised(text.slice(0, 2 * PASSWORD_CHARS_MAX));
    // A hash of a random token that nobody knows: no password matches it.
    this.#decoy ??= hash(newToken(), this.#cost);
    const decoy = await this.#decoy;
    const same = await this.#inTurn(() => verify(hashed ?? decoy, password));
    return same && hashed !== undefined;
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= WAITING_MAX) {
        const message = 'Many people are signing in right now. Please try again in a few seconds.';
        throw new UserError('busy', message, { retryAfterSeconds: 5 });
      }
      // A finished hash passes its place to the next in the queue, so the order is kept.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    this.hashes++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}

/** Keyboards may encode the same characters differently; NFC makes them equal. */
function normalised(text: string): string {
  return text.normalize('NFC');
}

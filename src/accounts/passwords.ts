import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { isCommonPassword } from './common-passwords.js';
import { PersonError, type PersonField } from './person-error.js';
import { newToken } from './secret-token.js';

/** Fewest and most characters of a password (code points, after normalising). */
export const PASSWORD_CHARS_MIN = 12;
export const PASSWORD_CHARS_MAX = 200;

/**
 * Argon2id (the library's default kind) with the least cost OWASP recommends: 19 MiB, two passes,
 * one lane (Password Storage Cheat Sheet, cheatsheetseries.owasp.org, "Argon2id").
 */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes that may wait for their turn: about a second's worth; more would keep everybody waiting. */
const WAITING_MAX = 32;

/**
 * A new password as it is hashed.
 *
 * @param email of its owner, which it must not hold
 * @throws PersonError `invalid_field` of `field`
 */
export function readNewPassword(
  text: string,
  email: string,
  field: PersonField = 'password',
): string {
  const password = normalised(text);
  const chars = [...password].length;
  const refuse = (message: string) => new PersonError('invalid_field', message, { field });
  if (chars < PASSWORD_CHARS_MIN) {
    throw refuse(`Choose a password of at least ${PASSWORD_CHARS_MIN} characters.`);
  }
  if (chars > PASSWORD_CHARS_MAX) {
    throw refuse(`Choose a password of at most ${PASSWORD_CHARS_MAX} characters.`);
  }
  const name = email.slice(0, email.indexOf('@')).toLowerCase();
  const isOwn = name.length > 3 && password.toLowerCase().replace(name, '').length < 8;
  if (isOwn || isCommonPassword(password)) {
    throw refuse('This password is easily guessed. Choose another, such as four random words.');
  }
  return password;
}

/** Argon2 off the event loop, few at a time: hashing must not take the machine from predictions. */
export class Passwords {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #decoy: Promise<string> | undefined;
  /** Hashes computed so far, to compare the work of two answers. */
  hashes = 0;

  /** @param atOnce hashes computed at a time; by default half of the processors */
  constructor(atOnce: number = Math.max(1, Math.floor(availableParallelism() / 2))) {
    this.#atOnce = atOnce;
  }

  /**
   * Argon2id hash of a password that `readNewPassword` took, as a PHC string.
   *
   * @throws PersonError `busy`
   */
  async hash(password: string): Promise<string> {
    return await this.#inTurn(() => hash(password, ARGON2ID));
  }

  /**
   * Whether a password is the one hashed. Without a hash to compare with the same work is done, so
   * that the time tells nobody whether there is one.
   *
   * @throws PersonError `busy`
   */
  async verify(hashed: string | undefined, text: string): Promise<boolean> {
    const password = normalised(text.slice(0, 2 * PASSWORD_CHARS_MAX));
    // Made from a token nobody knows, so no password matches it.
    this.#decoy ??= hash(newToken(), ARGON2ID);
    const decoy = await this.#decoy;
    const same = await this.#inTurn(() => verify(hashed ?? decoy, password));
    return same && hashed !== undefined;
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= WAITING_MAX) {
        const message = 'Many people are signing in at this moment. Try again in a few seconds.';
        throw new PersonError('busy', message, { retryAfterSeconds: 5 });
      }
      // Whoever ends hands its place on, so that nobody overtakes.
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

/** The same password typed on two keyboards may differ in form; NFC makes it one. */
function normalised(text: string): string {
  return text.normalize('NFC');
}

import { Passwords } from '../../src/accounts/passwords.js';

/** Passwords as in the service, but the hash takes a hundredth of the time. */
export function quickPasswords(atOnce?: number): Passwords {
  return new Passwords(atOnce, { memoryCost: 64, timeCost: 1, parallelism: 1 });
}

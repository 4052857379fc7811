import { Passwords } from '../../src/accounts/passwords.js';

/** Passwords as in the service, with a hash that takes a hundredth of the time. */
export function quickPasswords(atOnce?: number): Passwords {
  return new Passwords(atOnce, { memoryCost: 64, timeCost: 1, parallelism: 1 });
}

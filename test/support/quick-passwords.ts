import { Passwords } from '../../src/accounts/passwords.js';

/** Passwords as in the service, with a hash that takes a hundredth of the time. */
export function quickPasswords(): Passwords {
  return new Passwords(undefined, { memoryCost: 64, timeCost: 1, parallelism: 1 });
}

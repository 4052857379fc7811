import { createHash } from 'node:crypto';
import { Problem } from '../core/errors.js';

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/**
 * Checks an idempotency key as the caller sent it.
 *
 * @throws Problem `validation_error`
 */
export function checkIdempotencyKey(key: string): void {
  if (VISIBLE.test(key)) return;
  const message =
    'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces, sent once.';
  throw new Problem('validation_error', message);
}

/** SHA-256 of a validated input, the same for the same fields in any order. */
export function fingerprint(input: unknown): string {
  return createHash('sha256').update(canonical(input)).digest('hex');
}

// Validated inputs are flat: scalars and lists of scalars, so sorting the names is enough.
function canonical(input: unknown): string {
  const fields = input as Record<string, unknown>;
  return JSON.stringify(
    Object.keys(fields)
      .sort()
      .map((name) => [name, fields[name]]),
  );
}

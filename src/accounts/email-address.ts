import { UserError } from './errors.js';

/** Maximum length of an address in SMTP (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_CHARS_MAX = 254;
/** Maximum length of the part before the `@` (RFC 5321, 4.5.3.1.1). */
const LOCAL_CHARS_MAX = 64;
/** The addresses that browsers accept in `<input type="email">` (HTML Standard). */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

/** An address as entered, and in the form that is compared. */
export interface EmailAddress {
  readonly email: string;
  /** The address in lower case. No major provider has two users whose addresses differ only in case. */
  readonly emailKey: string;
}

/**
 * Reads an e-mail address and removes surrounding blanks.
 *
 * @throws UserError `invalid_field` of `email`
 */
export function readEmail(text: string): EmailAddress {
  const email = text.trim();
  if (email === '') throw invalid('Enter an e-mail address.');
  if (email.length > EMAIL_CHARS_MAX) {
    throw invalid(`Enter an e-mail address of at most ${EMAIL_CHARS_MAX} characters.`);
  }
  if (!ADDRESS.test(email) || email.indexOf('@') > LOCAL_CHARS_MAX) {
    throw invalid('Enter an e-mail address like name@example.com.');
  }
  return { email, emailKey: email.toLowerCase() };
}

function invalid(message: string): UserError {
  return new UserError('invalid_field', message, { field: 'email' });
}

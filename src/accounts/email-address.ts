import { PersonError } from './person-error.js';

/** Longest address SMTP can carry (RFC 5321, 4.5.3.1.3, less the angle brackets). */
export const EMAIL_CHARS_MAX = 254;
/** RFC 5321, 4.5.3.1.1. */
const LOCAL_CHARS_MAX = 64;
/** What browsers take in `<input type="email">`: HTML Standard, "valid e-mail address". */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

/** An address as written and as compared. */
export interface EmailAddress {
  readonly email: string;
  /** In lower case: no provider of note gives two people addresses that differ in case only. */
  readonly emailKey: string;
}

/**
 * Reads an e-mail address; surrounding blanks do not count.
 *
 * @throws PersonError `invalid_field` of `email`
 */
export function readEmail(text: string): EmailAddress {
  const email = text.trim();
  if (email === '') throw invalid('Enter an e-mail address.');
  if (email.length > EMAIL_CHARS_MAX) {
    throw invalid(`An e-mail address has at most ${EMAIL_CHARS_MAX} characters.`);
  }
  if (!ADDRESS.test(email) || email.indexOf('@') > LOCAL_CHARS_MAX) {
    throw invalid('Enter an e-mail address like name@example.com.');
  }
  return { email, emailKey: email.toLowerCase() };
}

function invalid(message: string): PersonError {
  return new PersonError('invalid_field', message, { field: 'email' });
}

import { SERVICE_NAME } from '../core/version.js';
import type { Email } from './mailer.js';

// Anybody can make the service send these e-mails to any address. Apart from that address, they contain no text that
// the sender typed: a name could be an advertisement.

/** Asks somebody who signed up to confirm the address. */
export function signUpEmail(to: string, link: string): Email {
  return email(to, 'Confirm your e-mail address', link, [
    `Somebody signed up for ${SERVICE_NAME} with this address. If it was you, open this link to confirm the address:`,
    link,
    'If you open it in another browser, enter the password you chose. The link is valid for 24 hours.',
    'If it was not you, ignore this message. Nobody can use your address without this link.',
  ]);
}

/** Tells the owner of an address that somebody tried to sign up with it again. */
export function existingAccountEmail(to: string, signInLink: string): Email {
  return email(to, 'You already have an account', signInLink, [
    `Somebody tried to use this address for a ${SERVICE_NAME} account, but it already has one. If it was you, sign in here:`,
    signInLink,
    'If you forgot your password, you can choose a new one on that page. If it was not you, ignore this message.',
  ]);
}

/** Sends the link to choose a new password. */
export function resetEmail(to: string, link: string): Email {
  return email(to, 'Choose a new password', link, [
    `Somebody asked for a new password for your ${SERVICE_NAME} account. If it was you, open this link to choose one:`,
    link,
    'The link is valid for one hour and works once. If it was not you, ignore this message. Your password stays the same.',
  ]);
}

/** Asks a user to confirm the new address of the account. */
export function newAddressEmail(to: string, link: string): Email {
  return email(to, 'Confirm your new e-mail address', link, [
    `To use this address for your ${SERVICE_NAME} account, open this link:`,
    link,
    'The link is valid for 24 hours. If you did not ask for this, ignore this message.',
  ]);
}

/**
 * Tells the owner of an account about a change.
 *
 * @param change a sentence without a full stop, such as `Your password was changed`
 */
export function changeNoticeEmail(to: string, change: string, forgotLink: string): Email {
  return email(to, change, forgotLink, [
    `${change}. This concerns your ${SERVICE_NAME} account.`,
    'If it was not you, choose a new password immediately:',
    forgotLink,
  ]);
}

function email(to: string, subject: string, link: string, paragraphs: string[]): Email {
  return { to, subject, link, text: `${paragraphs.join('\n\n')}\n` };
}

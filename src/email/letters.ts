import { SERVICE_NAME } from '../core/version.js';
import type { Letter } from './mailer.js';

// Nothing a stranger has typed is in these texts but the address they go to: a name could be an
// advertisement, sent by us to anybody.

/** To somebody who signed up. */
export function confirmLetter(to: string, link: string): Letter {
  return letter(to, 'Confirm your e-mail address', link, [
    `You, or somebody else, signed up to ${SERVICE_NAME} with this address. To confirm it, open`,
    link,
    'and enter the password you chose. The link is good for 24 hours.',
    'If you did not sign up, do nothing: there is no account then.',
  ]);
}

/** To somebody who signed up, or moves here, with an address that has an account. */
export function knownLetter(to: string, signInLink: string): Letter {
  return letter(to, 'You already have an account', signInLink, [
    `Somebody, perhaps you, wants to use this address for an account of ${SERVICE_NAME}. It has one already. Sign in at`,
    signInLink,
    'or choose a new password there. If it was not you, do nothing.',
  ]);
}

/** To somebody who forgot the password. */
export function resetLetter(to: string, link: string): Letter {
  return letter(to, 'Choose a new password', link, [
    `Somebody, perhaps you, asked for a new password for your account of ${SERVICE_NAME}. To choose one, open`,
    link,
    'The link is good for one hour, once. If it was not you, do nothing: the old password stays.',
  ]);
}

/** To an address a person wants to have from now on. */
export function newEmailLetter(to: string, link: string): Letter {
  return letter(to, 'Confirm your new e-mail address', link, [
    `To use this address for your account of ${SERVICE_NAME} from now on, open`,
    link,
    'The link is good for 24 hours. If you did not ask for this, do nothing.',
  ]);
}

/** What was done to an account, to its owner. */
export function noticeLetter(to: string, what: string, forgotLink: string): Letter {
  return letter(to, what, forgotLink, [
    `${what}: this was done to your account of ${SERVICE_NAME} just now.`,
    'If it was not you, choose a new password at once:',
    forgotLink,
  ]);
}

function letter(to: string, subject: string, link: string, paragraphs: string[]): Letter {
  return { to, subject, link, text: `${paragraphs.join('\n\n')}\n` };
}

/** An e-mail of ours: plain text, one link at most. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The link in the text, by itself. */
  readonly link?: string | undefined;
}

/** Sends e-mail. */
export interface Mailer {
  /** Where letters end: with their readers, or in our log, or nowhere; pages say so. */
  readonly destination: 'readers' | 'log' | 'nowhere';
  /** Hands a letter over; rejects when nobody takes it. */
  send(letter: Letter): Promise<void>;
  close(): void;
}

/** Where what becomes of letters is noted; a pino logger is one. */
export interface MailLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Instead of sending, writes letters to the log, links and all. For trying the service out: whoever
 * reads the log could take over any account.
 */
export function logMailer(log: MailLog): Mailer {
  return {
    destination: 'log',
    send: async ({ to, subject, link }) => {
      log.info({ to, subject, link }, 'an e-mail, to the log only: SMTP_URL is not set');
    },
    close: () => undefined,
  };
}

/** Drops letters and says only that it did: links have no place in a log that is kept. */
export function droppingMailer(log: MailLog): Mailer {
  return {
    destination: 'nowhere',
    send: async ({ subject }) => {
      log.warn({ subject }, 'an e-mail was dropped: SMTP_URL is not set');
    },
    close: () => undefined,
  };
}

/** An e-mail of the service: plain text with at most one link. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The link in the text. */
  readonly link?: string | undefined;
  /** Id of the request that caused the e-mail, for the log. */
  readonly requestId?: string | undefined;
}

/** Sends e-mail. */
export interface Mailer {
  /** The destination of e-mails: their recipients, the log, or nowhere. The pages show it to the user. */
  readonly destination: 'recipients' | 'log' | 'nowhere';
  /** Sends an e-mail. Rejects if the mail server does not accept it. */
  send(email: Email): Promise<void>;
  close(): void;
}

/** Log of the outcome of e-mails. A pino logger can be used. */
export interface EmailLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Writes e-mails with their links to the log instead of sending them. Use it only to try the service: anybody who reads
 * the log could take over any account.
 */
export function logMailer(log: EmailLog): Mailer {
  return {
    destination: 'log',
    send: async ({ to, subject, link, requestId: request_id }) => {
      log.info({ request_id, to, subject, link }, 'e-mail written to the log: SMTP_URL is not set');
    },
    close: () => undefined,
  };
}

/** Drops e-mails, and logs only that they were dropped. A log that is kept must not contain their links. */
export function droppingMailer(log: EmailLog): Mailer {
  return {
    destination: 'nowhere',
    send: async ({ subject, requestId: request_id }) => {
      log.warn({ request_id, subject }, 'e-mail dropped: SMTP_URL is not set');
    },
    close: () => undefined,
  };
}

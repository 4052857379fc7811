import type { Email, EmailLog, Mailer } from './mailer.js';

/** Sends e-mails after the page that asked for them has been answered. */
export class EmailQueue {
  readonly #mailer: Mailer;
  readonly #log: EmailLog;
  readonly #onOutcome: (outcome: 'sent' | 'failed') => void;
  readonly #pending = new Set<Promise<void>>();

  /** @param onOutcome is called for each e-mail, to count it */
  constructor(
    mailer: Mailer,
    log: EmailLog,
    onOutcome: (outcome: 'sent' | 'failed') => void = () => undefined,
  ) {
    this.#mailer = mailer;
    this.#log = log;
    this.#onOutcome = onOutcome;
  }

  /** Where e-mails go. */
  get destination(): Mailer['destination'] {
    return this.#mailer.destination;
  }

  /** E-mails that are being written or sent. */
  get waiting(): number {
    return this.#pending.size;
  }

  /**
   * Sends the e-mail that `compose` returns, if there is one. Never rejects: the page has already been answered, so an
   * error is only logged, without the address.
   *
   * @param requestId id of the page's request, for the log
   */
  send(compose: () => Promise<Email | undefined>, requestId?: string): void {
    const sending = this.#send(compose, requestId).finally(() => this.#pending.delete(sending));
    this.#pending.add(sending);
  }

  /** Waits until all pending e-mails are sent or have failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** Waits for the pending e-mails, then closes the mailer. */
  async close(): Promise<void> {
    await this.settled();
    this.#mailer.close();
  }

  async #send(compose: () => Promise<Email | undefined>, requestId?: string): Promise<void> {
    try {
      const email = await compose();
      if (email === undefined) return;
      await this.#mailer.send({ ...email, requestId });
      this.#onOutcome('sent');
    } catch (error) {
      this.#onOutcome('failed');
      const { name, code, responseCode } = error as Error & Record<string, unknown>;
      // The message of a mail server may contain the address, so it is not logged.
      this.#log.error(
        { request_id: requestId, name, code, responseCode },
        'an e-mail could not be sent',
      );
    }
  }
}

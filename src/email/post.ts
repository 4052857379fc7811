import type { Letter, Mailer, MailLog } from './mailer.js';

/** Sends letters after the page that asked for them is answered. */
export class Post {
  readonly #mailer: Mailer;
  readonly #log: MailLog;
  readonly #underWay = new Set<Promise<void>>();

  constructor(mailer: Mailer, log: MailLog) {
    this.#mailer = mailer;
    this.#log = log;
  }

  /** Where letters end. */
  get destination(): Mailer['destination'] {
    return this.#mailer.destination;
  }

  /**
   * Sends what comes of some work, if anything does. Never rejects: whoever asked has been answered,
   * so a fault is noted only, without the address.
   */
  send(writing: () => Promise<Letter | undefined>): void {
    const sending = this.#send(writing).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  /** Waits for letters under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Sends what is under way, then lets go of the mailer. */
  async close(): Promise<void> {
    await this.settled();
    this.#mailer.close();
  }

  async #send(writing: () => Promise<Letter | undefined>): Promise<void> {
    try {
      const letter = await writing();
      if (letter !== undefined) await this.#mailer.send(letter);
    } catch (error) {
      const { name, code, responseCode } = error as Error & Record<string, unknown>;
      // A mail server's words may repeat the address.
      this.#log.error({ name, code, responseCode }, 'an e-mail could not be sent');
    }
  }
}

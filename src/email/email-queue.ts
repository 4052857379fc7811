import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '../core/fair-queue.js';
import type { Email, EmailLog, Mailer } from './mailer.js';

/** E-mails that are written and sent at once, as many as the mailer has connections. */
const AT_ONCE = 2;
/**
 * Limits of the queue: e-mails that may wait, how long one may wait, and how long a service that stops waits for them. A
 * silent mail server delays each e-mail by 20 s or more, so without limits a few hundred would wait for an hour.
 */
const LIMITS = { waiting: 100, waitMs: 60_000, closeMs: 2000 } as const;

/** An e-mail that waits or is under way. */
interface Job {
  readonly requestId: string | undefined;
  /** Resolves when it is sent or lost. */
  ended?: Promise<void>;
}

/** Sends e-mails after the page that asked for them has been answered. */
export class EmailQueue {
  readonly #mailer: Mailer;
  readonly #log: EmailLog;
  readonly #onOutcome: (outcome: 'sent' | 'failed') => void;
  readonly #limits: Readonly<Record<keyof typeof LIMITS, number>>;
  readonly #turns: FairQueue;
  readonly #pending = new Set<Job>();
  #closed = false;

  /** @param onOutcome is called for each e-mail, to count it */
  constructor(
    mailer: Mailer,
    log: EmailLog,
    onOutcome: (outcome: 'sent' | 'failed') => void = () => undefined,
    limits: Partial<Record<keyof typeof LIMITS, number>> = {},
    private readonly nowMs = () => performance.now(),
  ) {
    this.#mailer = mailer;
    this.#log = log;
    this.#onOutcome = onOutcome;
    this.#limits = { ...LIMITS, ...limits };
    this.#turns = new FairQueue(AT_ONCE, this.#limits.waiting);
  }

  /** Where e-mails go. */
  get destination(): Mailer['destination'] {
    return this.#mailer.destination;
  }

  /** E-mails that wait, are being written or are being sent. */
  get waiting(): number {
    return this.#pending.size;
  }

  /**
   * Sends the e-mail that `compose` returns, if there is one. Never rejects: the page has already been answered, so an
   * error is only logged, without the address. If too many e-mails wait, this one is lost, and the log says so.
   *
   * @param requestId id of the page's request, for the log
   */
  send(compose: () => Promise<Email | undefined>, requestId?: string): void {
    if (this.#closed) {
      this.#lose(requestId, 'an e-mail is lost, because the service stops');
      return;
    }
    if (this.#turns.isFull()) {
      this.#lose(requestId, 'an e-mail is lost, because too many wait for the mail server');
      return;
    }
    const sinceMs = this.nowMs();
    const job: Job = { requestId };
    this.#pending.add(job);
    job.ended = this.#turns
      .run(async () => {
        if (this.nowMs() - sinceMs <= this.#limits.waitMs) await this.#send(compose, requestId);
        else this.#lose(requestId, 'an e-mail is lost, because it waited too long');
      })
      .finally(() => this.#pending.delete(job));
  }

  /** Waits until all pending e-mails are sent or lost. */
  async settled(): Promise<void> {
    await Promise.all([...this.#pending].map(({ ended }) => ended));
  }

  /** Waits a short time for the pending e-mails, names in the log those that are not sent, and closes the mailer. */
  async close(): Promise<void> {
    await Promise.race([this.settled(), sleep(this.#limits.closeMs, undefined, { ref: false })]);
    const message = 'an e-mail is not known to be sent, because the service stops';
    this.#closed = true;
    for (const { requestId } of this.#pending) this.#lose(requestId, message);
    this.#mailer.close();
  }

  async #send(
    compose: () => Promise<Email | undefined>,
    requestId: string | undefined,
  ): Promise<void> {
    try {
      const email = await compose();
      if (email === undefined) return;
      await this.#mailer.send({ ...email, requestId });
      this.#onOutcome('sent');
    } catch (error) {
      const { name, code, responseCode } = error as Error & Record<string, unknown>;
      // The message of a mail server may contain the address, so it is not logged.
      this.#lose(requestId, 'an e-mail could not be sent', { name, code, responseCode });
    }
  }

  #lose(requestId: string | undefined, message: string, reason: object = {}): void {
    this.#onOutcome('failed');
    this.#log.error({ request_id: requestId, ...reason }, message);
  }
}

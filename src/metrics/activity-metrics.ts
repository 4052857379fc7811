import type { Registry } from 'prom-client';
import { metricsIn } from './registry.js';

const SIGN_IN_OUTCOMES = ['succeeded', 'failed'] as const;
const EMAIL_OUTCOMES = ['sent', 'failed'] as const;
const WEBHOOK_OUTCOMES = ['received', 'refused', 'failed'] as const;
/** Subject of a message. `other` is irrelevant here; `unreadable` is malformed or not signed. */
const WEBHOOK_TYPES = [
  ...['paid', 'processing', 'failed', 'expired', 'refund', 'refund_failed', 'other', 'unreadable'],
];

/** Events of users, e-mails and payments that are counted. */
export interface ActivityObserver {
  signedIn(outcome: (typeof SIGN_IN_OUTCOMES)[number]): void;
  throttled(limit: string): void;
  emailed(outcome: (typeof EMAIL_OUTCOMES)[number]): void;
  webhook(type: string, outcome: (typeof WEBHOOK_OUTCOMES)[number]): void;
}

/** Sources of the gauges of users, e-mails and payments. */
export interface ActivitySources {
  readonly waitingEmails: () => number;
  /** Refunds that have not failed, and their credits. */
  readonly refunds: () => Promise<RefundSums>;
}

/** Sums over all refunds that have not failed. */
export interface RefundSums {
  readonly refunds: number;
  readonly creditsTaken: number;
  /** Credits that had been spent already. */
  readonly creditsMissing: number;
}

/** Creates the counters of users, e-mails and payments. No label has personal data. */
export function activityMetrics(registry: Registry): ActivityObserver {
  const { counter } = metricsIn(registry);
  const signIns = counter(
    'vitruvia_sign_ins_total',
    'Attempts to sign in with a password, by outcome: succeeded or failed.',
    ['outcome'],
  );
  const throttled = counter(
    'vitruvia_throttled_attempts_total',
    'Attempts of users (passwords, sign-ups, links) that a limit refused, by limit.',
    ['limit'],
  );
  const emails = counter('vitruvia_emails_total', 'E-mails by outcome: sent or failed.', [
    'outcome',
  ]);
  const webhooks = counter(
    'vitruvia_webhooks_total',
    'Payment messages by type and outcome: received, refused or failed.',
    ['type', 'outcome'],
  );
  // A counter that begins at 0 shows its first increase.
  for (const outcome of SIGN_IN_OUTCOMES) signIns.inc({ outcome }, 0);
  for (const outcome of EMAIL_OUTCOMES) emails.inc({ outcome }, 0);
  for (const type of WEBHOOK_TYPES) {
    for (const outcome of WEBHOOK_OUTCOMES) webhooks.inc({ type, outcome }, 0);
  }
  return {
    signedIn: (outcome) => signIns.inc({ outcome }),
    throttled: (limit) => throttled.inc({ limit }),
    emailed: (outcome) => emails.inc({ outcome }),
    webhook: (type, outcome) => webhooks.inc({ type, outcome }),
  };
}

/** Adds the gauges of e-mails and refunds. */
export function addActivityGauges(
  registry: Registry,
  { waitingEmails, refunds }: ActivitySources,
): void {
  const { gauge, readGauges } = metricsIn(registry);
  gauge('vitruvia_emails_waiting', 'E-mails that are being written or sent.', waitingEmails);
  readGauges(refunds, [
    [
      'vitruvia_refunds',
      'Refunds and disputes that took credits back; the same at every process',
      (sums) => sums.refunds,
    ],
    [
      'vitruvia_refund_credits_taken',
      'Credits that refunds took from balances; the same at every process',
      (sums) => sums.creditsTaken,
    ],
    [
      'vitruvia_refund_credits_missing',
      'Credits of refunds that had been spent already; the same at every process',
      (sums) => sums.creditsMissing,
    ],
  ]);
}

import {
  FREE_CALLS_PER_WINDOW,
  FREE_WINDOW_MS,
  IDEMPOTENCY_TTL_MS,
  RATE_WINDOW_MS,
} from '../../src/core/billing-terms.js';

/** The parts of a step that the model uses. */
export interface ModelStep {
  readonly cost: number;
  readonly affords?: number;
  readonly hits: number;
  readonly idempotency?: { readonly key: string; readonly fingerprint: string };
}

/** The model's answer. */
export interface ModelOutcome {
  readonly kind: string;
  readonly remainingFreeCalls?: number;
  readonly resetsAtMs?: number;
  readonly debtCredits?: number;
}

interface Answer {
  readonly fingerprint: string;
  readonly atMs: number;
}

/** One account in one mode, with the rules in their simplest form: plain lists in one thread. */
export class GateModel {
  paidCredits = 0;
  debtCredits = 0;
  readonly #rateLimitMax: number;
  readonly #hits = new Map<string, number[]>();
  readonly #revoked = new Set<string>();
  readonly #freeCallsAtMs: number[] = [];
  readonly #answers = new Map<string, Answer>();

  constructor(rateLimitMax: number) {
    this.#rateLimitMax = rateLimitMax;
  }

  revoke(keyId: string): void {
    this.#revoked.add(keyId);
  }

  purchase(credits: number): void {
    const paid = Math.min(credits, this.debtCredits);
    this.debtCredits -= paid;
    this.paidCredits += credits - paid;
  }

  step(keyId: string, step: ModelStep, nowMs: number): ModelOutcome {
    if (this.#revoked.has(keyId)) return { kind: 'unauthorized' };
    const hits = this.#hits.get(keyId) ?? [];
    this.#hits.set(keyId, hits);
    const recent = hits.filter((atMs) => atMs > nowMs - RATE_WINDOW_MS).length;
    if (recent + step.hits > this.#rateLimitMax) return { kind: 'rate_limited' };
    for (let hit = 0; hit < step.hits; hit++) hits.push(nowMs);
    const answered = this.#answered(step, nowMs);
    if (answered !== undefined) return answered;
    if (step.cost > 0) return this.#charge(step, nowMs);
    const { affords = 0 } = step;
    const refusal = affords === 0 ? undefined : this.#unpaid(affords, nowMs);
    return refusal ?? { kind: 'counted' };
  }

  #answered({ idempotency }: ModelStep, nowMs: number): ModelOutcome | undefined {
    if (idempotency === undefined) return undefined;
    const answer = this.#answers.get(idempotency.key);
    if (answer === undefined || answer.atMs <= nowMs - IDEMPOTENCY_TTL_MS) return undefined;
    const same = answer.fingerprint === idempotency.fingerprint;
    return { kind: same ? 'replayed' : 'idempotency_conflict' };
  }

  /** Reason why the account cannot pay a price; undefined if it can. */
  #unpaid(cost: number, nowMs: number): ModelOutcome | undefined {
    if (this.debtCredits > 0) return { kind: 'in_debt', debtCredits: this.debtCredits };
    const windowMs = this.#freeCallsInWindow(nowMs);
    const left = FREE_CALLS_PER_WINDOW - windowMs.length;
    const free = this.paidCredits === 0;
    if (free ? cost <= left : cost <= this.paidCredits) return undefined;
    if (!free || left > 0 || cost > FREE_CALLS_PER_WINDOW) return { kind: 'insufficient_credits' };
    const lastToLeaveMs = windowMs[cost - 1] ?? Number.NaN;
    return { kind: 'free_tier_exhausted', resetsAtMs: lastToLeaveMs + FREE_WINDOW_MS };
  }

  #freeCallsInWindow(nowMs: number): number[] {
    return this.#freeCallsAtMs.filter((atMs) => atMs > nowMs - FREE_WINDOW_MS);
  }

  #charge({ cost, idempotency }: ModelStep, nowMs: number): ModelOutcome {
    const refusal = this.#unpaid(cost, nowMs);
    if (refusal !== undefined) return refusal;
    if (idempotency !== undefined) {
      this.#answers.set(idempotency.key, { fingerprint: idempotency.fingerprint, atMs: nowMs });
    }
    if (this.paidCredits > 0) {
      this.paidCredits -= cost;
      return { kind: 'charged' };
    }
    const left = FREE_CALLS_PER_WINDOW - this.#freeCallsInWindow(nowMs).length;
    for (let call = 0; call < cost; call++) this.#freeCallsAtMs.push(nowMs);
    return { kind: 'charged', remainingFreeCalls: left - cost };
  }
}

import type { RateState } from '../core/billing-terms.js';
import { TOOL_ANSWER_BYTES_MAX } from '../core/limits.js';
import type { Operation } from '../operations/operation.js';
import type { Caller, EarlierRequest, MeteredResult } from '../request/caller.js';
import type { Meter } from '../request/meter.js';
import type { MeteredRefusal } from '../request/refusals.js';

/** Longer answers fill the context of a language model. */
const OPTIONS = { answerBytesMax: TOOL_ANSWER_BYTES_MAX, inJson: true };

/**
 * One HTTP request to the endpoint, as the charging step sees it. The request counts once with all its messages. If the
 * charging step answers 401 or 429, this refusal replaces the answer of the protocol.
 */
export class Exchange {
  readonly #meter: Meter;
  readonly #caller: Caller;
  #counted = false;
  #calls = 0;
  #rate: RateState | undefined;
  #refusal: MeteredRefusal | undefined;

  constructor(meter: Meter, caller: Caller) {
    this.#meter = meter;
    this.#caller = caller;
  }

  readonly linksFiles = true;

  /** Id of the HTTP request. */
  get requestId(): string {
    return this.#caller.requestId;
  }

  /** The key's rate limit after the latest step; undefined before the first. */
  get rate(): RateState | undefined {
    return this.#rate;
  }

  /** Whether a paid call was performed, whatever its result. */
  get performed(): boolean {
    return this.#calls > 0;
  }

  /** The refusal that replaces the whole answer. */
  get refusal(): MeteredRefusal | undefined {
    return this.#refusal;
  }

  /** Counts the request's messages against the rate limit, unless a call has already counted them. */
  async count(): Promise<void> {
    if (this.#counted) return;
    this.#counted = true;
    const outcome = await this.#meter.charging.count(this.#caller);
    this.#rate = outcome.rate;
    if (outcome.kind === 'refusal') this.#refusal = outcome;
  }

  /**
   * Performs one paid call. Unless the request has been counted before, the first call also counts it, in the same step
   * that charges.
   */
  async perform(
    operation: Operation,
    input: unknown,
    idempotencyKey: string | undefined,
  ): Promise<MeteredResult> {
    const first = !this.#counted;
    this.#counted = true;
    const { requestId, hits: all, ...others } = this.#caller;
    // The id becomes the cause of a ledger entry. A batch makes several entries, so each needs its own id.
    const cause = this.#calls === 0 ? requestId : `${requestId}-${this.#calls}`;
    this.#calls++;
    const hits = first ? all : 0;
    const caller = { ...others, requestId: cause, idempotencyKey, hits };
    const result = await this.#meter.perform(operation, input, caller, OPTIONS);
    if (result.rate !== undefined) this.#rate = result.rate;
    if (first && result.kind === 'refusal' && replacesAnswer(result)) this.#refusal = result;
    return result;
  }

  /**
   * Returns the file of an earlier call of the same account, free of charge. The request counts once against the rate
   * limit.
   */
  async file(operation: Operation, earlier: EarlierRequest) {
    await this.count();
    if (this.#refusal !== undefined) return this.#refusal;
    const result = await this.#meter.file(operation, earlier, { ...this.#caller, hits: 0 });
    if (result?.kind !== 'stream') return result;
    const parts: Uint8Array[] = [];
    for await (const part of result.chunks) parts.push(part);
    return { bytes: Buffer.concat(parts), contentType: result.contentType };
  }
}

function replacesAnswer({ problem }: MeteredRefusal): boolean {
  return problem.code === 'unauthorized' || problem.code === 'rate_limited';
}

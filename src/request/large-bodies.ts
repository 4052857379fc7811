import { modeOfAccount } from '../billing/gate.js';
import type { RateState } from '../core/billing-terms.js';
import type { Operation } from '../operations/operation.js';
import { BodyRefused, type Caller, type LargeBody } from './caller.js';
import type { Charging } from './charging.js';
import { joined, LargeText } from './large-text.js';
import { type Computer, readMs } from './pool.js';
import type { ComputeBudget } from './queue.js';
import { bodiesBusy, type MeteredRefusal, processorTimeSpent, serviceBusy } from './refusals.js';
import { type ComputeResult, type ComputeTask, SPLIT_MESSAGE } from './tasks.js';

/**
 * Maximum number of large bodies that are received, waiting or read at once. Each takes 1 MB, and
 * ten times that once read.
 */
const BODIES_MAX = 64;
/** The same of one account and mode. */
export const BODIES_OF_ACCOUNT_MAX = 16;

/** Dependencies of large bodies. */
export interface LargeBodyParts {
  readonly charging: Charging;
  readonly computer: Computer;
  readonly budget: ComputeBudget | undefined;
  readonly artifactVersion: () => string;
}

/** A large request that a thread has read: its facts, or the answer to a quick one. */
export type LargeRead = Extract<ComputeResult, { kind: 'facts' | 'answer' }>;

/**
 * Requests with large bodies, which take long to read and to validate. Threads of the pool do this,
 * for few bodies at once. Accounts take turns as for computations. The work uses their processor
 * time.
 */
export class LargeBodies {
  readonly #parts: LargeBodyParts;
  /** Bodies that hold a place. */
  readonly #bodies = new Set<{ readonly account: string }>();

  constructor(parts: LargeBodyParts) {
    this.#parts = parts;
  }

  /** Counts a request before its body is received, or refuses it. Never rejects. */
  async enter(caller: Caller): Promise<LargeBody | MeteredRefusal> {
    const { charging, budget } = this.#parts;
    const counted = await charging.count(caller);
    if (counted.kind === 'refusal') return charging.refused('none', counted);
    const { rate } = counted;
    const account = charging.accountOf(caller);
    const refuse = (why: MeteredRefusal) => charging.refused('none', why);
    const emptyMs = (await budget?.waitMs({ id: account, priority: modeOfAccount(account) })) ?? 0;
    if (emptyMs > 0) return refuse(processorTimeSpent(rate, Math.ceil(emptyMs / 1000)));
    const own = [...this.#bodies].filter((body) => body.account === account).length;
    if (own >= BODIES_OF_ACCOUNT_MAX) return refuse(bodiesBusy(rate, BODIES_OF_ACCOUNT_MAX));
    if (this.#bodies.size >= BODIES_MAX) return refuse(serviceBusy(rate));
    const body = { account };
    this.#bodies.add(body);
    const left = new AbortController();
    const rest = () => void this.#bodies.delete(body);
    const close = () => {
      left.abort();
      rest();
    };
    return { rate, left: left.signal, rest, close };
  }

  /** Reads and validates a request, and answers it if it is quick. Never rejects. */
  async read(
    { name }: Operation,
    large: LargeText,
    caller: Caller,
    rate: RateState,
    mayBeQuick: boolean,
  ): Promise<LargeRead | MeteredRefusal> {
    const hasKey = caller.idempotencyKey !== undefined;
    const reads = { mayBeQuick, hasKey };
    return (await this.#ask({ operation: name, large, reads }, caller, rate)) as
      | LargeRead
      | MeteredRefusal;
  }

  /**
   * Reads a message with large requests in it.
   *
   * @returns the message; each large request in it is a text
   * @throws BodyRefused when it cannot be read now
   * @throws Problem for text that is no message
   */
  async message(text: string, caller: Caller): Promise<unknown> {
    const { rate } = caller.body as LargeBody;
    const reads = { mayBeQuick: false, hasKey: false };
    const large = new LargeText(text);
    const { charging } = this.#parts;
    const result = await this.#ask({ operation: SPLIT_MESSAGE, large, reads }, caller, rate);
    if (result.kind === 'message') return joined(result.message);
    if (result.kind !== 'refusal') throw new Error(`a message was read as ${result.kind}`);
    if (result.problem.code === 'validation_error') throw result.problem;
    throw new BodyRefused(charging.refused('none', result));
  }

  async #ask(
    asked: Pick<ComputeTask, 'operation' | 'reads'> & { readonly large: LargeText },
    caller: Caller,
    rate: RateState,
  ): Promise<ComputeResult | MeteredRefusal> {
    const { charging, computer, artifactVersion } = this.#parts;
    const account = charging.accountOf(caller);
    const task: ComputeTask = {
      ...asked,
      ...{ input: {}, artifactVersion: artifactVersion() },
      account: { id: account, priority: modeOfAccount(account) },
      estimateMs: readMs(asked.large.text.length),
    };
    const left = caller.body?.left;
    return charging.computed(() => computer.compute(task, left), rate, caller, left);
  }
}

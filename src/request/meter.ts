import { Problem } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import { type Operation, seeded } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { answerJson, requestFaults } from '../operations/validate.js';
import { checkWork } from '../operations/work.js';
import type { Caller, MeteredResult, MeteredStream, PerformOptions } from './caller.js';
import { Charging, type ChargingParts, stepOf } from './charging.js';
import { ComputedPath } from './computed-path.js';
import { checkAnswerSize, checkIdempotencyKey } from './idempotency.js';
import { LargeBodies, type LargeRead } from './large-bodies.js';
import { LargeText } from './large-text.js';
import type { Computer } from './pool.js';
import type { ComputeBudget } from './queue.js';
import { accountBusy, type MeteredRefusal, refusalOf } from './refusals.js';
import { type Read, read } from './tasks.js';

/** Dependencies of a meter. */
export interface MeterParts extends ChargingParts {
  /** The model to answer from; called once per request, so that it may change between requests. */
  readonly model: () => PredictionModel;
  /** Secret of the deployment; see `seedOf`. */
  readonly seedSecret: string;
  /** Computes computed operations. */
  readonly computer: Computer;
  /** The processor time of accounts; without it, there is no limit. */
  readonly budget?: ComputeBudget | undefined;
}

/** Admits every paid request of all transports, and chooses its path. */
export class Meter {
  readonly charging: Charging;
  readonly bodies: LargeBodies;
  readonly #model: () => PredictionModel;
  readonly #computed: ComputedPath;

  constructor({ model, computer, seedSecret, budget, ...parts }: MeterParts) {
    this.charging = new Charging(parts);
    this.#model = model;
    const used = { charging: this.charging, artifactVersion: () => model().artifactVersion };
    this.bodies = new LargeBodies({ ...used, computer, budget });
    this.#computed = new ComputedPath({ ...used, computer, seedSecret });
  }

  /**
   * Validates a request and answers it on its path. A request of a computed operation is counted before it
   * is validated; any other is counted in the step that charges it. Never rejects.
   *
   * @param body the parsed body, or the text of a large one
   */
  async perform(
    operation: Operation,
    body: unknown,
    caller: Caller,
    options: PerformOptions = {},
  ): Promise<MeteredResult> {
    if (operation.computed === true) return this.#performComputed(operation, body, caller, options);
    try {
      if (caller.idempotencyKey !== undefined) checkIdempotencyKey(caller.idempotencyKey);
      // The fault is not thrown: that would take as long as the validation of a valid request.
      const faults = requestFaults(operation, body);
      if (faults !== undefined)
        return this.charging.refuse(faults.problem(), caller, operation.name);
      if (operation.work !== undefined) checkWork(operation, body as object);
    } catch (error) {
      return this.charging.refuse(this.#problemOf(error, caller), caller, operation.name);
    }
    return this.#light(operation, body as object, caller);
  }

  /**
   * The file of an earlier request of the same account, without charge and without a hit; undefined
   * if there is none. The caller must read the file to its end.
   */
  async file(
    ...request: Parameters<ComputedPath['file']>
  ): Promise<MeteredStream | MeteredRefusal | undefined> {
    return this.#computed.file(...request);
  }

  /**
   * Cuts the answers that are still being sent chunk by chunk, because the service stops. Their prices are booked back
   * when `charging.returned` resolves.
   *
   * @returns their number
   */
  cut(): number {
    return this.#computed.cut();
  }

  /** Counts one request before it does any work for it, and its further hits once it is read. */
  async #performComputed(
    operation: Operation,
    body: unknown,
    caller: Caller,
    options: PerformOptions,
  ): Promise<MeteredResult> {
    const { idempotencyKey: key, body: large } = caller;
    const refused = (why: MeteredRefusal) => this.charging.refused(operation.name, why);
    const counted =
      large !== undefined && caller.hits === 0
        ? ({ kind: 'counted', rate: large.rate } as const)
        : await this.charging.count(caller);
    if (counted.kind === 'refusal') return refused(counted);
    const { rate } = counted;
    // Comes before the work of validation. A key may have an earlier answer, and some requests are light.
    const mayBeLight = key !== undefined || operation.isQuick !== undefined;
    if (!mayBeLight && this.#computed.isBusy(caller)) return refused(accountBusy(rate));
    // Only the computed path can repeat answers that are too long to be stored, and limit their length.
    const mayBeQuick = key === undefined && options.answerBytesMax === undefined;
    let found: Read | LargeRead;
    try {
      if (key !== undefined) checkIdempotencyKey(key);
      if (body instanceof LargeText) {
        const done = await this.bodies.read(operation, body, caller, rate, mayBeQuick);
        if (done.kind === 'refusal') return refused(done);
        found = done;
      } else found = read(operation, body, mayBeQuick);
    } catch (error) {
      return refused({ kind: 'refusal', problem: this.#problemOf(error, caller), rate });
    }
    const { hits = 1 } = found.kind === 'facts' ? found.facts : found;
    if (hits > 1) {
      const rest = await this.charging.count({ ...caller, hits: hits - 1 });
      if (rest.kind === 'refusal') return refused(rest);
    }
    const further = { ...caller, hits: 0 };
    if (found.kind === 'answer')
      return this.#charged(operation, found.json, found.cost ?? 0, '', further);
    if (found.kind === 'quick') {
      return this.#light(operation, body as object, further);
    }
    large?.rest();
    const { facts } = found;
    return this.#computed.perform({
      operation,
      input: body as object,
      facts,
      caller: further,
      options,
    });
  }

  /**
   * The light path, for operations that compute in microseconds: computes at once, charges in one atomic
   * step, answers. An operation that costs nothing is counted in place of the charge.
   */
  async #light(operation: Operation, input: object, caller: Caller): Promise<MeteredResult> {
    const hash = caller.idempotencyKey === undefined ? '' : fingerprint(input);
    let json: string;
    let cost: number;
    try {
      const asked = operation.drawsSeed === true ? seeded(operation, input) : input;
      const found = operation.run(asked as never, this.#model());
      json = answerJson(operation, found);
      if (caller.idempotencyKey !== undefined) checkAnswerSize(json);
      cost = operation.charged?.(found as never) ?? operation.cost(input as never);
    } catch (error) {
      return this.#replayOrRefuse(operation, hash, this.#problemOf(error, caller), caller);
    }
    return this.#charged(operation, json, cost, hash, caller);
  }

  async #charged(
    operation: Operation,
    json: string,
    cost: number,
    hash: string,
    caller: Caller,
  ): Promise<MeteredResult> {
    const outcome = await this.charging.step(stepOf(operation, caller, cost, hash, json), caller);
    return this.charging.settled(operation.name, outcome, json, cost);
  }

  /**
   * Refuses a request that has no answer. If it was answered before under its idempotency key, it
   * gets that answer again, even though the model has changed since.
   */
  async #replayOrRefuse(
    operation: Operation,
    hash: string,
    problem: Problem,
    caller: Caller,
  ): Promise<MeteredResult> {
    if (caller.idempotencyKey === undefined) {
      return this.charging.refuse(problem, caller, operation.name);
    }
    const outcome = await this.charging.step(stepOf(operation, caller, 0, hash), caller);
    if (outcome.kind === 'replayed') return this.charging.replay(operation.name, outcome, 0);
    const asWithoutKey = outcome.kind === 'counted' || outcome.kind === 'idempotency_conflict';
    const refusal: MeteredRefusal = asWithoutKey
      ? { kind: 'refusal', problem, rate: outcome.rate }
      : refusalOf(outcome);
    return this.charging.refused(operation.name, refusal);
  }

  #problemOf(error: unknown, caller: Caller): Problem {
    return error instanceof Problem ? error : this.charging.inferenceError(error, caller);
  }
}

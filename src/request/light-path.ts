import { Problem } from '../core/errors.js';
import { inTurns } from '../core/pieces.js';
import { isInParts } from '../operations/answer-formats.js';
import { type Operation, randomSeed } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { answerJson } from '../operations/validate.js';
import type { Caller, MeteredResult } from './caller.js';
import { type Charging, stepOf } from './charging.js';
import { checkAnswerSize } from './idempotency.js';
import { type MeteredRefusal, refusalOf } from './refusals.js';

/** The path of the operations that compute in microseconds: run, charge in one atomic step, answer. */
export class LightPath {
  readonly #charging: Charging;
  readonly #model: () => PredictionModel;

  /** @param model called once per request, so that the model may change between requests */
  constructor(charging: Charging, model: () => PredictionModel) {
    this.#charging = charging;
    this.#model = model;
  }

  /**
   * Answers a validated request, or refuses it uncharged. An operation that costs nothing is counted
   * in place of the charge. Never rejects.
   */
  async perform(operation: Operation, input: object, caller: Caller): Promise<MeteredResult> {
    const charging = this.#charging;
    let json: string;
    let cost: number;
    try {
      if ((operation.rows ?? operation.file) !== undefined && isInParts(operation, input)) {
        throw new Error('answers in parts need a computer');
      }
      const drawn =
        operation.draw === undefined
          ? input
          : { ...input, ...operation.draw(input as never, randomSeed()) };
      const model = this.#model();
      const found =
        operation.runInPieces === undefined
          ? operation.run(drawn as never, model)
          : await (caller.body?.work ?? inTurns)(operation.runInPieces(drawn as never, model));
      json = answerJson(operation, found);
      if (caller.idempotencyKey !== undefined) checkAnswerSize(json);
      cost = operation.charged?.(found as never) ?? operation.cost(input as never);
    } catch (error) {
      const problem = error instanceof Problem ? error : charging.inferenceError(error, caller);
      return this.#replayOrRefuse(operation, input, problem, caller);
    }
    const outcome = await charging.step(stepOf(operation, input, caller, cost, json), caller);
    return charging.settled(operation.name, outcome, json, cost);
  }

  /**
   * Refuses a request that has no answer. If it was answered before under its idempotency key, it
   * gets that answer again, even though the model has changed since.
   */
  async #replayOrRefuse(
    operation: Operation,
    input: object,
    problem: Problem,
    caller: Caller,
  ): Promise<MeteredResult> {
    const charging = this.#charging;
    if (caller.idempotencyKey === undefined) {
      return charging.refuse(problem, caller, operation.name);
    }
    const outcome = await charging.step(stepOf(operation, input, caller, 0), caller);
    if (outcome.kind === 'replayed') return charging.replay(operation.name, outcome, 0);
    const asWithoutKey = outcome.kind === 'counted' || outcome.kind === 'idempotency_conflict';
    const refusal: MeteredRefusal = asWithoutKey
      ? { kind: 'refusal', problem, rate: outcome.rate }
      : refusalOf(outcome);
    return charging.refused(operation.name, refusal);
  }
}

import { createHash } from 'node:crypto';
import {
  type BatchResult,
  type ClientSettings,
  createVitruvia,
  type RequestOf,
  type Vitruvia,
  VitruviaError,
} from '../../clients/typescript/src/index.js';
import { Problem } from '../core/errors.js';
import { BATCH_LIMITS, STORED_ANSWER_CHARS_MAX } from '../core/limits.js';
import { Refusal } from '../failure.js';
import { completePerson } from '../operations/complete-person.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { validateRequest } from '../operations/validate.js';
import type { Answered, RowRequest } from '../people-sheet/people-sheet.js';

/** Completes people, with a service or with the artifacts. */
export interface Answerer {
  /** Requests that are answered together. */
  readonly together: number;
  /**
   * Returns answers in the order of the requests.
   *
   * @param position index of the first request among all requests
   */
  answer(inputs: readonly RowRequest[], position: number): Promise<readonly Answered[]>;
}

/** Refusals of a measurement that has no model. An answer with all measurements leaves such a measurement out. */
const WITHOUT_MODEL: ReadonlySet<string> = new Set(['model_not_found', 'gender_not_supported']);

/** Asks for people, and again for all measurements of those who have no model of a wanted one. */
function answererBy(together: number, ask: Answerer['answer']): Answerer {
  const answer: Answerer['answer'] = async (inputs, position) => {
    const answers = [...(inputs.length === 0 ? [] : await ask(inputs, position))];
    for (const [i, { wanted, ...all }] of inputs.entries()) {
      const result = answers[i] as Answered;
      if (wanted === undefined || !('code' in result) || !WITHOUT_MODEL.has(result.code)) continue;
      // Refusals are free, and few rows have a measurement without a model.
      answers.splice(i, 1, ...(await ask([all], position + i)));
    }
    return answers;
  };
  return { together, answer };
}

/** Completes people from the artifacts, free. */
export function localAnswerer(model: PredictionModel): Answerer {
  const complete = (input: RowRequest): Answered => {
    try {
      return completePerson.run(validateRequest(completePerson, input), model);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { code: error.code, refused: error.message };
    }
  };
  return answererBy(1, async (inputs) => inputs.map(complete));
}

/** Maximum number of characters for one measurement in an answer, and for the rest of the answer. */
const ANSWER_CHARS = { measurement: 160, rest: 1000 } as const;

/** Number of requests in a batch whose answer the service can store for its key. */
function batchSize(measurements: number): number {
  const chars = ANSWER_CHARS.rest + measurements * ANSWER_CHARS.measurement;
  return Math.min(BATCH_LIMITS.computed, Math.floor(STORED_ANSWER_CHARS_MAX / chars));
}

/**
 * Completes people with a service. Each batch has a key that is derived from its requests and their position. If the
 * same sheet is sent again within 24 hours, it gets the stored answers and is not charged again.
 *
 * @param measurements number of measurements in an answer
 */
export function serviceAnswerer(baseUrl: string, apiKey: string, measurements: number): Answerer {
  const vitruvia = clientOf({ baseUrl, apiKey });
  return answererBy(batchSize(measurements), async (inputs, position) => {
    const entries = inputs.map((input) => ({
      operation: 'completePerson' as const,
      input: input as RequestOf<'completePerson'>,
    }));
    const hash = createHash('sha256')
      .update(JSON.stringify([position, inputs]))
      .digest('hex');
    const results: BatchResult<(typeof entries)[number]>[] = [];
    try {
      const options = { idempotencyKey: `fill-${hash}` };
      for await (const result of vitruvia.batch(entries, options)) results.push(result);
    } catch (error) {
      if (!(error instanceof VitruviaError)) throw error;
      const message = `${error.detail} The service has answered ${position} rows. Run the same command again when the cause is gone: within 24 hours these rows are not charged again.`;
      throw new Refusal(error.code, message);
    }
    return results.map((result) =>
      result.ok ? result.answer : { code: result.error.code, refused: result.error.detail },
    );
  });
}

/** @throws Refusal for a key that cannot be one */
function clientOf(settings: ClientSettings): Vitruvia {
  try {
    return createVitruvia(settings);
  } catch (error) {
    if (error instanceof VitruviaError) throw new Refusal(error.code, error.detail, 2);
    throw error;
  }
}

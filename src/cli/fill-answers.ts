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
import type { Answered, Completed, RowRequest } from '../people-sheet/people-sheet.js';

/** A request with what all rows share. */
export type PersonInput = RowRequest & { readonly rangePercent?: number };

/** Completes people, with a service or with the artifacts. */
export interface Answerer {
  /** Requests that are answered together. */
  readonly together: number;
  /**
   * Returns answers in the order of the requests.
   *
   * @param position index of the first request among all requests
   */
  answer(inputs: readonly PersonInput[], position: number): Promise<readonly Answered[]>;
}

/** The part of an answer of `complete_person` that a sheet uses. */
interface Person {
  readonly measurements: readonly Completed[];
  readonly plausibility: { readonly note?: string | undefined };
}

/** Refusals of a measurement that has no model. An answer with all measurements leaves such a measurement out. */
const WITHOUT_MODEL: ReadonlySet<string> = new Set(['model_not_found', 'gender_not_supported']);

const answered = ({ measurements, plausibility }: Person): Answered => ({
  completed: measurements,
  note: plausibility.note,
});

const ofAll = ({ wanted: _, ...input }: PersonInput): PersonInput => input;

/** Completes people from the artifacts, free. */
export function localAnswerer(model: PredictionModel): Answerer {
  const complete = (input: PersonInput): Answered => {
    try {
      return answered(completePerson.run(validateRequest(completePerson, input), model));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (input.wanted !== undefined && WITHOUT_MODEL.has(error.code))
        return complete(ofAll(input));
      return { refused: error.message };
    }
  };
  return { together: 1, answer: async (inputs) => inputs.map(complete) };
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
  const ask = async (inputs: readonly PersonInput[], position: number) => {
    const entries = inputs.map((input) => ({
      operation: 'completePerson' as const,
      input: input as RequestOf<'completePerson'>,
    }));
    const hash = createHash('sha256')
      .update(JSON.stringify([position, inputs]))
      .digest('hex');
    const results: BatchResult<(typeof entries)[number]>[] = [];
    const options = { idempotencyKey: `fill-${hash}` };
    for await (const result of vitruvia.batch(entries, options)) results.push(result);
    return results;
  };
  return {
    together: batchSize(measurements),
    async answer(inputs, position) {
      const results = await ask(inputs, position).catch((error: unknown) => {
        throw error instanceof VitruviaError ? stopped(error, position) : error;
      });
      const answers: Answered[] = [];
      for (const [i, result] of results.entries()) {
        const input = inputs[i] as PersonInput;
        if (result.ok) answers.push(answered(result.answer));
        else if (input.wanted !== undefined && WITHOUT_MODEL.has(result.error.code)) {
          // Refusals are free, and few rows have a measurement without a model.
          answers.push(...(await this.answer([ofAll(input)], position + i)));
        } else answers.push({ refused: result.error.detail });
      }
      return answers;
    },
  };
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

function stopped({ code, detail }: VitruviaError, position: number): Refusal {
  const message = `${detail} The service has answered ${position} rows. Run the same command again when the cause is gone: within 24 hours these rows are not charged again.`;
  return new Refusal(code, message);
}

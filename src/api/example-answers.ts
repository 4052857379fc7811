import { setImmediate } from 'node:timers/promises';
import { Problem } from '../core/errors.js';
import { openChunks } from '../operations/chunks.js';
import { documentedAnswer } from '../operations/documented-answer.js';
import type { Operation } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { answerJson } from '../operations/validate.js';

/** The answers to the example of an operation. */
export interface ExampleAnswers {
  readonly json: unknown;
  /** The answer as lines of CSV, if the operation has that format. */
  readonly csv?: string;
}

/**
 * The model's answers to the example of each operation, by the operation's name. The result has no entry for an
 * operation that the model refuses: a model built without some sources lacks dimensions. An example can take a few
 * hundred milliseconds, so other work is done between two examples.
 */
export async function exampleAnswers(
  operations: readonly Operation[],
  model: PredictionModel,
): Promise<ReadonlyMap<string, ExampleAnswers>> {
  const answers = new Map<string, ExampleAnswers>();
  for (const operation of operations) {
    // The answer of the example is a file.
    if (operation.file?.alsoJson === false) continue;
    await setImmediate();
    try {
      answers.set(operation.name, answersOf(operation, model));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return answers;
}

function answersOf(operation: Operation, model: PredictionModel): ExampleAnswers {
  const { example, rows } = operation;
  const json = JSON.parse(answerJson(operation, documentedAnswer(operation, example, model)));
  if (rows === undefined) return { json };
  const chunks = openChunks(operation, { ...example, format: 'csv' }, model);
  return { json, csv: new TextDecoder().decode(chunks.chunk(0)) };
}

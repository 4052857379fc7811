import type { Operation } from './operation.js';
import type { PredictionModel } from './prediction-model.js';

/** Answers that documents show. Several documents show the same ones. */
const KNOWN = new WeakMap<PredictionModel, Map<Operation, Map<string, object>>>();

/**
 * The answer of a model to a valid request that a document shows. It is computed once, because some take a second.
 *
 * @throws Problem
 */
export function documentedAnswer(
  operation: Operation,
  request: object,
  model: PredictionModel,
): object {
  const ofModel = KNOWN.get(model) ?? new Map<Operation, Map<string, object>>();
  KNOWN.set(model, ofModel);
  const known = ofModel.get(operation) ?? new Map<string, object>();
  ofModel.set(operation, known);
  const key = JSON.stringify([model.artifactVersion, request]);
  const answer = known.get(key) ?? operation.run(request as never, model);
  known.set(key, answer);
  return answer;
}

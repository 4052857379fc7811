import { parentPort, threadId, workerData } from 'node:worker_threads';
import { Problem } from '../core/errors.js';
import { ArtifactError } from '../lookup/errors.js';
import { handOverMappings } from '../lookup/map-file.js';
import { openArtifact } from '../lookup/open-artifact.js';
import type { Operation } from '../operations/operation.js';
import { PredictionModel } from '../operations/prediction-model.js';
import { answerJson } from '../operations/validate.js';
import type { ComputeResult, ComputeTask, MappedMessage, ThreadOptions } from './tasks.js';

/** Models that stay open: the current version and the one before it. */
const MODELS_MAX = 2;

const { artifactsDir, operationsModule } = workerData as ThreadOptions;

// The pool terminates a thread to end its computation.
handOverMappings((mapping) => {
  parentPort?.postMessage({ threadId, mapping } satisfies MappedMessage);
});

const { OPERATIONS } = (await import(operationsModule)) as {
  readonly OPERATIONS: readonly Operation[];
};
/** Open models by their version, the latest used last. */
const models = new Map<string, PredictionModel>();

/**
 * Runs one task of the pool.
 *
 * @throws Error when the operation fails
 */
export function runTask({ operation: name, input, artifactVersion }: ComputeTask) {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  return resultOf(() => {
    const model = modelOf(artifactVersion);
    const answer = operation.run(input as never, model);
    const json = answerJson(operation, answer);
    const cost = operation.charged?.(answer as never);
    return cost === undefined ? { json } : { json, cost };
  });
}

function resultOf(compute: () => { json: string; cost?: number }): ComputeResult {
  try {
    return { kind: 'answer', ...compute() };
  } catch (error) {
    if (error instanceof Problem) {
      const { code, message, extras } = error;
      return { kind: 'problem', code, message, extras };
    }
    if (error instanceof ArtifactError && error.fault === 'missing') {
      return { kind: 'no_such_version' };
    }
    throw error;
  }
}

function modelOf(version: string): PredictionModel {
  const model = models.get(version) ?? new PredictionModel(openArtifact(artifactsDir, version));
  models.delete(version);
  models.set(version, model);
  for (const oldest of models.keys()) {
    if (models.size <= MODELS_MAX) break;
    models.delete(oldest);
  }
  return model;
}

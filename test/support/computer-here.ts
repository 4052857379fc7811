import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import type { PredictionModel } from '../../src/operations/prediction-model.js';
import type { Computer } from '../../src/request/pool.js';
import { TaskRunner } from '../../src/request/tasks.js';

/** Computes in the thread of the test, without a queue and without limits. */
export function computerHere(
  model: PredictionModel,
  operations: readonly Operation[] = OPERATIONS,
): Computer {
  const runner = new TaskRunner(operations, () => model);
  return { compute: (task) => runner.run(task) };
}

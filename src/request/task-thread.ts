import { parentPort, threadId, workerData } from 'node:worker_threads';
import { BoundedMap } from '../core/bounded-map.js';
import { handOverMappings, loadMapping, viewMappings } from '../lookup/map-file.js';
import { openArtifact } from '../lookup/open-artifact.js';
import type { Operation } from '../operations/operation.js';
import { PredictionModel } from '../operations/prediction-model.js';
import { processorMs, systemThreadId } from './queue.js';
import {
  BEGUN,
  type ComputeDone,
  type MappedMessage,
  TaskRunner,
  type ThreadOptions,
  type ThreadTask,
} from './tasks.js';

const SYSTEM_THREAD = systemThreadId();
/** Models that stay open: the current version and the one before it. */
const MODELS_MAX = 2;

const { artifactsDir, operationsModule } = workerData as ThreadOptions;

// The pool terminates a thread to end its computation. So the pool must know the mappings, to remove them afterwards.
handOverMappings((mapping) => {
  parentPort?.postMessage({ threadId, mapping } satisfies MappedMessage);
});

// Loads the native library before a task begins, because this thread must not be ended while it loads.
loadMapping();

const { OPERATIONS } = (await import(operationsModule)) as {
  readonly OPERATIONS: readonly Operation[];
};
/** Open models by their version, the latest used last. */
const models = new BoundedMap<string, PredictionModel>(MODELS_MAX);
const runner = new TaskRunner(OPERATIONS, modelOf);

/**
 * Runs one task of the pool.
 *
 * @throws Error when the operation fails
 */
export async function runTask({ begun, mapped, ...task }: ThreadTask): Promise<ComputeDone> {
  viewMappings(mapped);
  // The task reports a module that cannot be loaded.
  await runner.load(task).catch(() => undefined);
  const begunMs = usedMs();
  begun[BEGUN.threadId] = SYSTEM_THREAD;
  begun[BEGUN.atMs] = Math.floor(begunMs);
  Atomics.store(begun, BEGUN.flag, 1);
  const result = await runner.run(task);
  return { result, usedMs: usedMs() - begunMs };
}

/** Processor time of this thread; outside Linux the time of the clock, which others make longer. */
function usedMs(): number {
  return processorMs() ?? performance.now();
}

function modelOf(version: string): PredictionModel {
  const model = models.get(version) ?? new PredictionModel(openArtifact(artifactsDir, version));
  models.set(version, model);
  return model;
}

import { parentPort, threadId, workerData } from 'node:worker_threads';
import { BoundedMap } from '../core/bounded-map.js';
import { Problem } from '../core/errors.js';
import { ArtifactError } from '../lookup/errors.js';
import { handOverMappings, loadMapping, viewMappings } from '../lookup/map-file.js';
import { openArtifact } from '../lookup/open-artifact.js';
import { type AnswerChunks, openChunks } from '../operations/chunks.js';
import type { AnswerFile, Operation } from '../operations/operation.js';
import { PredictionModel } from '../operations/prediction-model.js';
import { answerJson } from '../operations/validate.js';
import { inputOf, read, split } from './facts.js';
import { processorMs, systemThreadId } from './queue.js';
import {
  type AnswerChunk,
  BEGUN,
  type ComputeDone,
  type ComputeResult,
  type ComputeTask,
  type MappedMessage,
  SPLIT_MESSAGE,
  type ThreadOptions,
  type ThreadTask,
} from './tasks.js';

const SYSTEM_THREAD = systemThreadId();
/** Models that stay open: the current version and the one before it. */
const MODELS_MAX = 2;
/** Streamed answers that stay open. */
const ANSWERS_MAX = 4;

const { artifactsDir, operationsModule } = workerData as ThreadOptions;

// The pool terminates a thread to end its computation.
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

/**
 * Runs one task of the pool.
 *
 * @throws Error when the operation fails
 */
export async function runTask({ begun, mapped, ...task }: ThreadTask): Promise<ComputeDone> {
  const begunMs = usedMs();
  viewMappings(mapped);
  begun[BEGUN.threadId] = SYSTEM_THREAD;
  begun[BEGUN.atMs] = Math.floor(begunMs);
  Atomics.store(begun, BEGUN.flag, 1);
  const { operation: name, chunk } = task;
  const result = await resultOf(() => {
    if (task.module !== undefined) return called(task);
    if (name === SPLIT_MESSAGE) return splitMessage(task);
    const operation = operationNamed(name);
    if (task.reads !== undefined) return reading(operation, task);
    const asked = task.large === undefined ? task : { ...task, input: largeInput(task) as object };
    return chunk === undefined ? whole(operation, asked) : chunkOf(operation, asked, chunk);
  });
  return { result, usedMs: usedMs() - begunMs };
}

function largeInput({ large, input }: ComputeTask): unknown {
  return inputOf(large?.text ?? '', { ...large?.defaults, ...input });
}

/** Reads a large request; answers a quick one. */
function reading(operation: Operation, task: ComputeTask): ComputeResult {
  const { mayBeQuick = false, hasKey = false } = task.reads ?? {};
  const input = largeInput(task);
  const found = read(operation, input, mayBeQuick);
  if (found.kind === 'quick') {
    return { ...whole(operation, { ...task, input: input as object }), hits: found.hits };
  }
  const { cost, hits, estimateMs, isStreamed } = found.facts;
  const needsHash = hasKey || isStreamed || operation.cached === true;
  const fingerprint = needsHash ? found.facts.fingerprint : '';
  const json = hasKey ? found.facts.json : undefined;
  return { kind: 'facts', facts: { cost, hits, estimateMs, isStreamed, fingerprint, json } };
}

function splitMessage({ large }: ComputeTask): ComputeResult {
  const isComputed = (name: unknown) =>
    OPERATIONS.some((one) => one.name === name && one.computed === true);
  return { kind: 'message', message: split(large?.text ?? '', isComputed) };
}

function operationNamed(name: string): Operation {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  return operation;
}

/** Processor time of this thread; outside Linux the time of the clock, which others make longer. */
function usedMs(): number {
  return processorMs() ?? performance.now();
}

/** Calls a function for pages. Its module is loaded with the first call. */
async function called({ module = '', operation, input, artifactVersion }: ComputeTask) {
  const functions = (await import(module)) as Record<string, (...of: unknown[]) => object>;
  const made = functions[operation]?.(input, modelOf(artifactVersion));
  return { kind: 'answer', json: JSON.stringify(made) } as const;
}

function whole(
  operation: Operation,
  { input, artifactVersion }: Pick<ComputeTask, 'input' | 'artifactVersion'>,
): Extract<ComputeResult, { kind: 'answer' }> {
  const answer = operation.run(input as never, modelOf(artifactVersion));
  const json = answerJson(operation, answer);
  const cost = operation.charged?.(answer as never);
  return { kind: 'answer', json, ...(cost === undefined ? {} : { cost }) };
}

/** Answers that are open, the latest used last. Any thread can open an answer again at any chunk. */
const answers = new BoundedMap<string, AnswerChunks>(ANSWERS_MAX);

async function chunkOf(
  operation: Operation,
  task: ComputeTask,
  chunk: AnswerChunk,
): Promise<ComputeResult> {
  if (operation.file !== undefined) return fileOf(operation.file, task);
  const { answer, index } = chunk;
  const open =
    answers.get(answer) ?? openChunks(operation, task.input, modelOf(task.artifactVersion));
  const bytes = open.chunk(index);
  const last = index === open.count - 1;
  if (last) answers.delete(answer);
  else answers.set(answer, open);
  const { contentType, headers } = open;
  return { kind: 'chunk', bytes, last, contentType, headers };
}

async function fileOf(
  file: AnswerFile<never>,
  { input, artifactVersion }: ComputeTask,
): Promise<ComputeResult> {
  const { answer: _, ...made } = await file.make(input as never, modelOf(artifactVersion));
  const contentType = file.types[file.formatOf(input as never) ?? ''] ?? '';
  return { kind: 'chunk', last: true, contentType, ...made };
}

async function resultOf(
  compute: () => ComputeResult | Promise<ComputeResult>,
): Promise<ComputeResult> {
  try {
    return await compute();
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
  models.set(version, model);
  return model;
}

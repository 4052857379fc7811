import { BoundedMap } from '../core/bounded-map.js';
import { type ErrorCode, Problem, type ProblemExtras } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import { ArtifactError } from '../lookup/errors.js';
import type { Mapping, SharedMapping } from '../lookup/map-file.js';
import { isStreamed } from '../operations/answer-formats.js';
import { type AnswerChunks, openChunks } from '../operations/chunks.js';
import type { AnswerFile, Operation } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { answerJson, requestFaults } from '../operations/validate.js';
import { checkWork, estimatedWorkMs } from '../operations/work.js';
import { inputOf, type LargeText, type SplitMessage, split } from './large-text.js';
import type { ComputeAccount } from './queue.js';

// Messages between the pool and its threads.

/** The parts of a validated request that decide its path. For a large request, a thread finds them. */
export interface Facts {
  /** The highest price of its answer. */
  readonly cost: number;
  /** Requests that it counts as against the rate limit. */
  readonly hits: number;
  /** Estimated processor time. */
  readonly estimateMs: number;
  /** Whether bytes can answer it, in parts. */
  readonly isStreamed: boolean;
  readonly fingerprint: string;
  /** The request as JSON, if its answer's file may be requested later. */
  readonly json: string | undefined;
}

/** The facts of a validated request. Facts that take long to find are computed when they are first read. */
export function factsOf(operation: Operation, input: object): Facts {
  return {
    cost: operation.cost(input as never),
    hits: operation.hits?.(input as never) ?? 1,
    estimateMs: estimatedWorkMs(operation, input),
    isStreamed: (operation.rows ?? operation.file) !== undefined && isStreamed(operation, input),
    get fingerprint() {
      return fingerprint(input);
    },
    get json() {
      return operation.file === undefined ? undefined : JSON.stringify(input);
    },
  };
}

/** A validated request. It has facts, or it is quick, is computed at once and only has a number of hits. */
export type Read =
  | { readonly kind: 'facts'; readonly facts: Facts }
  | { readonly kind: 'quick'; readonly hits: number };

/**
 * Validates a request.
 *
 * @throws Problem
 */
export function read(operation: Operation, body: unknown, mayBeQuick: boolean): Read {
  const faults = requestFaults(operation, body);
  if (faults !== undefined) throw faults.problem();
  const input = body as object;
  if (mayBeQuick && operation.isQuick?.(input as never) === true) {
    return { kind: 'quick', hits: operation.hits?.(input as never) ?? 1 };
  }
  checkWork(operation, input);
  return { kind: 'facts', facts: factsOf(operation, input) };
}

/** How a thread finds what it needs; the same for all threads of a pool. */
export interface ThreadOptions {
  readonly artifactsDir: string;
  /** The module that exports the operations as `OPERATIONS`. */
  readonly operationsModule: string;
}

/** One computation. */
export interface ComputeTask {
  /** Name of the operation, of the function in `module`, or `SPLIT_MESSAGE`. */
  readonly operation: string;
  /** URL of a module with a function for pages. It takes the input and the model, and returns or promises JSON. */
  readonly module?: string;
  /** A validated request; for a large request, what was drawn for it. */
  readonly input: object;
  /** A large request. */
  readonly large?: LargeText;
  /**
   * The large request is not validated yet. The thread only reads it, or answers it at once if it
   * is quick.
   */
  readonly reads?: {
    readonly mayBeQuick: boolean;
    /** Whether its fingerprint is needed however it is answered. */
    readonly hasKey: boolean;
  };
  readonly artifactVersion: string;
  /** Makes this chunk of an answer that is sent chunk by chunk; without it, the whole answer. */
  readonly chunk?: AnswerChunk;
  /**
   * The account and the priority of the computation. The priority `free` waits behind computations
   * that are paid for. Only few free computations may wait, and they have no budget.
   */
  readonly account: ComputeAccount;
  /** Estimated processor time; without it, the computation counts as a long one. */
  readonly estimateMs?: number;
  /** Processor time after which it ends; by default, the limit of the pool. */
  readonly limitMs?: number;
  /** Once begun, it goes on when nobody waits: its result is kept, and a new thread would take longer. */
  readonly goesOn?: boolean;
}

/** A computation as a thread receives it. */
export interface ThreadTask extends ComputeTask {
  /** Memory that the thread and the pool share. The thread writes it when it begins. See `BEGUN`. */
  readonly begun: Int32Array;
  /** Where the files of the version are mapped already. */
  readonly mapped: readonly SharedMapping[];
}

/** Message of a thread that begins a task, after it has loaded everything. */
export const BEGUN = {
  /** 1 once it has begun. */
  flag: 0,
  /** The thread's number in the system; 0 if it is not known. */
  threadId: 1,
  /** Its processor time then, in ms. */
  atMs: 2,
} as const;

/** Which chunk of which answer. */
export interface AnswerChunk {
  /** Everything that the answer depends on, as one text. A thread finds an open answer by it. */
  readonly answer: string;
  /** Number of the chunk, from 0. The chunks after the first belong to an answer that is paid for. */
  readonly index: number;
}

/** Outcome of a computation. */
export type ComputeResult =
  | {
      readonly kind: 'answer';
      readonly json: string;
      /** Price of the answer, if it was unknown before the computation. */
      readonly cost?: number;
      /** Requests that a large one counts as, if it was answered at once. */
      readonly hits?: number;
    }
  /** A large request, or a large message, that was read. */
  | { readonly kind: 'facts'; readonly facts: Facts }
  | { readonly kind: 'message'; readonly message: SplitMessage }
  | {
      readonly kind: 'chunk';
      readonly bytes: Uint8Array;
      /** Whether it is the last chunk. */
      readonly last: boolean;
      readonly contentType: string;
      /** Headers of the whole answer: facts about it, such as the seed. */
      readonly headers: Readonly<Record<string, string>>;
      /** Price of the whole answer, if it was unknown before the computation. */
      readonly cost?: number;
    }
  /** The operation refused the request. A `Problem` would arrive as a plain error. */
  | {
      readonly kind: 'problem';
      readonly code: ErrorCode;
      readonly sentence: Problem['sentence'];
      readonly extras: ProblemExtras;
    }
  /** The artifact version is not there any more. */
  | { readonly kind: 'no_such_version' };

/** Result of a thread. */
export interface ComputeDone {
  readonly result: ComputeResult;
  /** Processor time of the thread, in ms. */
  readonly usedMs: number;
}

/** A thread has mapped a file. */
export interface MappedMessage {
  readonly threadId: number;
  readonly mapping: Mapping;
}

/** Name of the task that takes large requests out of a message; no operation has it. */
export const SPLIT_MESSAGE = 'split message';

/** Streamed answers that stay open. */
const ANSWERS_MAX = 4;

/** Answers tasks. Each thread of the pool has one runner. */
export class TaskRunner {
  readonly #operations: readonly Operation[];
  readonly #modelOf: (version: string) => PredictionModel;
  /** Answers that are open, the latest used last. Any thread can open an answer again at any chunk. */
  readonly #answers = new BoundedMap<string, AnswerChunks>(ANSWERS_MAX);

  /** @param modelOf the model of an artifact version; throws ArtifactError `missing` */
  constructor(operations: readonly Operation[], modelOf: (version: string) => PredictionModel) {
    this.#operations = operations;
    this.#modelOf = modelOf;
  }

  /**
   * Runs a task.
   *
   * @throws Error when the operation fails
   */
  async run(task: ComputeTask): Promise<ComputeResult> {
    try {
      return await this.#result(task);
    } catch (error) {
      if (error instanceof Problem) {
        const { code, sentence, extras } = error;
        return { kind: 'problem', code, sentence, extras };
      }
      if (error instanceof ArtifactError && error.fault === 'missing') {
        return { kind: 'no_such_version' };
      }
      throw error;
    }
  }

  /** Loads what a function for pages needs, so that the time of the function does not have it. */
  async load({ module, operation, artifactVersion }: ComputeTask): Promise<void> {
    if (module === undefined) return;
    const { load } = (await import(module)) as { load?(...of: unknown[]): Promise<void> };
    await load?.(operation, this.#modelOf(artifactVersion));
  }

  async #result(task: ComputeTask): Promise<ComputeResult> {
    const { operation: name, module, large, chunk, reads } = task;
    const model = () => this.#modelOf(task.artifactVersion);
    if (module !== undefined) {
      const functions = (await import(module)) as Record<string, (...of: unknown[]) => object>;
      return { kind: 'answer', json: JSON.stringify(await functions[name]?.(task.input, model())) };
    }
    if (name === SPLIT_MESSAGE) {
      return { kind: 'message', message: split(large?.text ?? '', this.#operations) };
    }
    const operation = this.#operations.find((one) => one.name === name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    const input =
      large === undefined
        ? task.input
        : (inputOf(large.text, { ...large.defaults, ...task.input }) as object);
    if (reads !== undefined) return reading(operation, input, reads, model);
    if (chunk === undefined) return whole(operation, input, model());
    if (operation.file !== undefined) return fileOf(operation.file, input, model());
    const { answer, index } = chunk;
    const open = this.#answers.get(answer) ?? openChunks(operation, input, model());
    const bytes = open.chunk(index);
    const last = index === open.count - 1;
    if (last) this.#answers.delete(answer);
    else this.#answers.set(answer, open);
    const { contentType, headers } = open;
    return { kind: 'chunk', bytes, last, contentType, headers };
  }
}

/** Reads a large request; answers a quick one. */
function reading(
  operation: Operation,
  input: object,
  { mayBeQuick, hasKey }: NonNullable<ComputeTask['reads']>,
  model: () => PredictionModel,
): ComputeResult {
  const found = read(operation, input, mayBeQuick);
  if (found.kind === 'quick') return { ...whole(operation, input, model()), hits: found.hits };
  const { cost, hits, estimateMs, isStreamed } = found.facts;
  const needsHash = hasKey || isStreamed || operation.cached === true;
  const fingerprint = needsHash ? found.facts.fingerprint : '';
  const json = hasKey ? found.facts.json : undefined;
  return { kind: 'facts', facts: { cost, hits, estimateMs, isStreamed, fingerprint, json } };
}

function whole(operation: Operation, input: object, model: PredictionModel) {
  const answer = operation.run(input as never, model);
  const json = answerJson(operation, answer);
  const cost = operation.charged?.(answer as never);
  return { kind: 'answer', json, ...(cost === undefined ? {} : { cost }) } as const;
}

async function fileOf(
  file: AnswerFile<never>,
  input: object,
  model: PredictionModel,
): Promise<ComputeResult> {
  const { answer: _, ...made } = await file.make(input as never, model);
  const contentType = file.types[file.formatOf(input as never) ?? ''] ?? '';
  return { kind: 'chunk', last: true, contentType, ...made };
}

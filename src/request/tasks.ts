import type { ErrorCode, ProblemExtras } from '../core/errors.js';
import type { Mapping, SharedMapping } from '../lookup/map-file.js';
import type { Facts, LargeText, SplitMessage } from './facts.js';
import type { ComputeAccount } from './queue.js';

// Messages between the pool and its threads.

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
  /** URL of a module with a function for pages: it takes the input and the model, and returns JSON. */
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
}

/** A computation as a thread receives it. */
export interface ThreadTask extends ComputeTask {
  /** Memory that the thread and the pool share. The thread writes it when it begins. See `BEGUN`. */
  readonly begun: Int32Array;
  /** Where the files of the version are mapped already. */
  readonly mapped: readonly SharedMapping[];
}

/** What a thread reports when it begins a task, after it has loaded everything. */
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

/** What a computation ended with. */
export type ComputeResult =
  | {
      readonly kind: 'answer';
      readonly json: string;
      /** What the answer costs, if this was unknown before the computation. */
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
      /** What the whole answer costs, if this was unknown before the computation. */
      readonly cost?: number;
    }
  /** The operation refused the request. A `Problem` would arrive as a plain error. */
  | {
      readonly kind: 'problem';
      readonly code: ErrorCode;
      readonly message: string;
      readonly extras: ProblemExtras;
    }
  /** The artifact version is not there any more. */
  | { readonly kind: 'no_such_version' };

/** What a thread returns. */
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

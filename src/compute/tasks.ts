import type { ErrorCode, ProblemExtras } from '../core/errors.js';
import type { Mapping } from '../lookup/map-file.js';

// Messages between the pool and its threads.

/** How a thread finds what it needs; the same for all threads of a pool. */
export interface ThreadOptions {
  readonly artifactsDir: string;
  /** The module that exports the operations as `OPERATIONS`. */
  readonly operationsModule: string;
}

/** One computation. */
export interface ComputeTask {
  /** Name of the operation. */
  readonly operation: string;
  /** A validated request. */
  readonly input: object;
  readonly artifactVersion: string;
}

/** What a computation ended with. */
export type ComputeResult =
  | {
      readonly kind: 'answer';
      readonly json: string;
      /** What the answer costs, if that is known only now. */
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

/** A thread has mapped a file. */
export interface MappedMessage {
  readonly threadId: number;
  readonly mapping: Mapping;
}

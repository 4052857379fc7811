import type { paths } from './generated/api.js';
import type { OPERATIONS } from './generated/operations.js';

/** Names of the methods of operations, such as `predictRange`. */
export type OperationKey = keyof typeof OPERATIONS;

type RouteOf<K extends OperationKey> = paths[(typeof OPERATIONS)[K]['path']]['post'];

/** A value that nobody changes, so that lists of constants may be sent. */
type Unchanged<T> = T extends readonly (infer E)[]
  ? readonly Unchanged<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Unchanged<T[K]> }
    : T;

/** What an operation asks for. The client sets `format`. */
export type RequestOf<K extends OperationKey> = Unchanged<
  Omit<RouteOf<K>['requestBody']['content']['application/json'], 'format'>
>;

/** What an operation answers in JSON. */
export type AnswerOf<K extends OperationKey> = RouteOf<K>['responses'][200]['content'] extends {
  readonly 'application/json': infer Answer;
}
  ? Answer
  : never;

/** Operations that files answer. */
export type FileKey = {
  [K in OperationKey]: (typeof OPERATIONS)[K] extends { readonly file: object } ? K : never;
}[OperationKey];

/** Operations that JSON answers; of those with files, if it is asked for. */
export type JsonKey = {
  [K in OperationKey]: (typeof OPERATIONS)[K] extends {
    readonly file: { readonly alsoJson: false };
  }
    ? never
    : K;
}[OperationKey];

/** What an operation asks for whose answer is a file, with the format of the file. */
export type FileRequestOf<K extends FileKey> = RequestOf<K> & {
  readonly format?: (typeof OPERATIONS)[K]['file']['formats'][number];
};

/** Operations that also answer in CSV and Arrow. */
export type TableKey = {
  [K in OperationKey]: (typeof OPERATIONS)[K] extends { readonly table: object } ? K : never;
}[OperationKey];

/** Facts about a whole answer in CSV or Arrow, such as `seed`. A fact may be absent. */
export type DetailsOf<K extends TableKey> = {
  readonly [D in keyof (typeof OPERATIONS)[K]['table']['details']]?:
    | ((typeof OPERATIONS)[K]['table']['details'][D] extends 'number' ? number : string)
    | undefined;
};

/** Operations that a batch may contain. */
export type BatchKey = {
  [K in OperationKey]: (typeof OPERATIONS)[K]['inBatches'] extends true ? K : never;
}[OperationKey];

/** An entry of a batch; `operation` is the name of a method. */
export type BatchEntry<K extends BatchKey = BatchKey> = {
  [One in K]: { readonly operation: One; readonly input: RequestOf<One>; readonly id?: string };
}[K];

/** Settings of one call. */
export interface CallOptions {
  /** Ends the call, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time of the call with all its attempts and waits, in milliseconds. */
  readonly deadlineMs?: number | undefined;
  /**
   * The key under which the service charges the call at most once; a random one by default. With `false`
   * none is sent, and a call of which it is not known whether it was charged is not repeated.
   */
  readonly idempotencyKey?: string | false | undefined;
}

/** The operations as methods. */
export type OperationMethods = {
  readonly [K in JsonKey as Exclude<K, 'batch'>]: (
    request: RequestOf<K>,
    options?: CallOptions,
  ) => Promise<AnswerOf<K>>;
};

import type { paths } from './generated/api.js';
import type { OPERATIONS } from './generated/operations.js';

/** Names of the methods of operations, such as `predictRange`. */
export type OperationKey = keyof typeof OPERATIONS;

type RouteOf<K extends OperationKey> = paths[(typeof OPERATIONS)[K]['path']]['post'];

/** The type with all fields and lists read-only, so that constants may be sent. */
type Unchanged<T> = T extends readonly (infer E)[]
  ? readonly Unchanged<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Unchanged<T[K]> }
    : T;

/** The request of an operation. The client itself sets `format`. */
export type RequestOf<K extends OperationKey> = Unchanged<
  Omit<RouteOf<K>['requestBody']['content']['application/json'], 'format'>
>;

/** The JSON answer of an operation. */
export type AnswerOf<K extends OperationKey> = RouteOf<K>['responses'][200]['content'] extends {
  readonly 'application/json': infer Answer;
}
  ? Answer
  : never;

/** Operations that files answer. */
export type FileKey = {
  [K in OperationKey]: (typeof OPERATIONS)[K] extends { readonly file: object } ? K : never;
}[OperationKey];

/** Operations that answer in JSON. Those with files do so on request. */
export type JsonKey = {
  [K in OperationKey]: (typeof OPERATIONS)[K] extends {
    readonly file: { readonly alsoJson: false };
  }
    ? never
    : K;
}[OperationKey];

/** The request of an operation that answers with a file, with the format of the file. */
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

/** An entry of a batch. `operation` is the name of a client method. */
export type BatchEntry<K extends BatchKey = BatchKey> = {
  [One in K]: { readonly operation: One; readonly input: RequestOf<One>; readonly id?: string };
}[K];

/** Settings of one call. */
export interface CallOptions {
  /** Ends the call, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of the call with all its attempts and waits, in milliseconds. */
  readonly deadlineMs?: number | undefined;
  /**
   * The key under which the service charges the call at most once. By default it is random. With `false` no key is
   * sent; a call that may have been charged is then not repeated.
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

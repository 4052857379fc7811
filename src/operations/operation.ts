import { randomInt } from 'node:crypto';
import type { Static, TObject } from 'typebox';
import type { ErrorCode } from '../core/errors.js';
import { BODY_BYTES_MAX, SEED_LIMITS } from '../core/limits.js';
import type { ColumnValues, RowTable } from '../table-formats/table.js';
import type { FoundFault } from './faults.js';
import type { PredictionModel } from './prediction-model.js';

/**
 * One prediction operation with everything the service knows about it. The REST route, the MCP
 * tool, the OpenAPI document, the catalog, the command and the documentation are made from this.
 * `run` is pure: it does no input or output.
 *
 * `check`, `cost` and `run` are methods, not properties, so that TypeScript accepts operations with
 * different requests in one list. Only `validateRequest` makes their input.
 */
export interface Operation<
  Name extends string = string,
  Request extends TObject = TObject,
  Response extends TObject = TObject,
> {
  /** Also the name of the MCP tool. */
  readonly name: Name;
  /** Path of the POST route. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** What a language model needs to know to choose and call the tool, without the price. */
  readonly toolDescription: string;
  /** The price as a sentence for a language model. It is left out where nothing is charged. */
  readonly toolPrice: string;
  /** The command that answers from the artifacts without a server. */
  readonly command: { readonly name: string; readonly summary: string };
  /** Cost in words, as the catalog gives it. */
  readonly price: string;
  /** Left out of the catalog, which names no surveys, because the answers do. */
  readonly outsideCatalog?: true;
  readonly request: Request;
  readonly response: Response;
  /** A valid request, for the documentation. */
  readonly example: Static<Request>;
  /**
   * Error codes that not every operation can answer with, each with a request that is refused with
   * it.
   */
  readonly refusals: Readonly<Partial<Record<ErrorCode, Static<Request>>>>;
  /**
   * It takes longer than a few milliseconds and is computed beside the event loop; the funds are
   * checked before.
   */
  readonly computed?: true;
  /** Whether a request of a computed operation takes less than 5 ms, so that it is computed at once. */
  isQuick?(input: Static<Request>): boolean;
  /** Answers are kept for a while, because making them takes long and the same are asked for again. */
  readonly cached?: true;
  /** It is no tool over MCP. */
  readonly outsideTools?: true;
  /** Largest body of its route, in bytes; `BODY_BYTES_MAX` by default. */
  readonly bodyBytesMax?: number;
  /** Faults a schema cannot state; an empty list when there are none. */
  check?(input: Static<Request>): readonly FoundFault[];
  /**
   * How much computing a request of a computed operation needs, counted from the request alone: an
   * estimate in ms of one core (`work.ts`). `validateRequest` refuses what is too large.
   */
  readonly work?: Work<Static<Request>>;
  /** Credits or free calls that one answer costs; 0 is counted against the rate limit only. */
  cost(input: Static<Request>): number;
  /** The answer depends on a random seed. The request may name one as `seed`; otherwise it is drawn. */
  readonly drawsSeed?: true;
  /** Requests that this one counts as against the rate limit; 1 by default. */
  hits?(input: Static<Request>): number;
  /** Writes an answer as JSON text, if the operation knows a faster way than its schema; see `answerJson`. */
  json?(answer: Static<Response>): string;
  /** What an answer costs, if it can be less than `cost`; for computed operations. */
  charged?(answer: Static<Response>): number;
  /** The answer as rows, for operations whose request has a `format`. */
  readonly rows?: AnswerRows<Static<Request>>;
  /**
   * The request where the answer must be one short JSON text: that of the tool over MCP and of an entry
   * of a batch. `request` by default; every such request is also a valid `request`.
   */
  readonly shortRequest?: TObject;
  /** The request of an entry of a batch, if it differs from that of the tool. */
  readonly batchRequest?: TObject;
  /** The request of the tool over MCP, if it is another one still. */
  readonly toolRequest?: TObject;
  /** Faults of a request whose answer would be longer than a tool over MCP may return. */
  toolCheck?(input: Static<Request>): readonly FoundFault[];
  /** Writes the answer as a file, for operations whose answers can be files. */
  readonly file?: AnswerFile<Static<Request>, Static<Response>>;
  /** @throws Problem when the model has no answer for a valid request */
  run(input: Static<Request>, model: PredictionModel): Static<Response>;
}

/** An answer as a file: made as a whole, and the same for the same request and artifact. */
export interface AnswerFile<Input, Answer = object> {
  /** Media type of each format. */
  readonly types: Readonly<Record<string, string>>;
  /** Whether JSON can be asked for in place of a file, as `format`. */
  readonly alsoJson: boolean;
  /** The format of the file that answers a request; undefined where JSON answers it. */
  formatOf(input: Input): string | undefined;
  /** @throws Problem when the model has no answer for a valid request */
  make(input: Input, model: PredictionModel): Promise<MadeFile<Answer>>;
}

/** A file that answers a request. */
export interface MadeFile<Answer = object> {
  readonly bytes: Uint8Array;
  /** What `run` would answer. */
  readonly answer: Answer;
  /** Headers of the answer besides its type, such as `etag`. */
  readonly headers: Readonly<Record<string, string>>;
  /** What it costs, if that can be less than `cost`. */
  readonly cost?: number;
}

/** The work of an operation. */
export interface Work<Input> {
  /** Estimate in ms of one core. */
  ms(input: Input): number;
  /** The largest estimate that is not refused, in ms. */
  readonly mostMs: number;
  /** What to ask less of, as the end of a sentence that begins with "Ask for". */
  readonly less: string;
}

/** An answer as rows: it is sent chunk by chunk, as CSV, Arrow or a long list in JSON. */
export interface AnswerRows<Input> {
  /** @throws Problem when the model has no answer for a valid request */
  open(input: Input, model: PredictionModel): RowTable;
  /** The list that an answer in JSON consists of, if it can be long; its details follow it. */
  readonly list?: {
    /** Name of the list in the answer. */
    readonly field: string;
    /** Entries of the list. */
    count(input: Input): number;
    /** The entries from the values of the columns in some rows. */
    items(table: RowTable, values: readonly ColumnValues[]): object[];
  };
}

/**
 * An operation as it is offered where the answer must be one short JSON text.
 *
 * @returns the operation itself if its answers always are
 */
export function shortForm(operation: Operation): Operation {
  const { shortRequest } = operation;
  return shortRequest === undefined ? operation : { ...operation, request: shortRequest };
}

/**
 * An operation as the tool over MCP.
 *
 * @returns the operation itself if its answers always fit a tool
 */
export function toolForm(operation: Operation): Operation {
  const { toolRequest, toolCheck, check } = operation;
  const short = shortForm(operation);
  const asked = toolRequest === undefined ? short : { ...short, request: toolRequest };
  if (toolCheck === undefined) return asked;
  return { ...asked, check: (input) => [...(check?.(input) ?? []), ...toolCheck(input)] };
}

/** An operation as an entry of a batch takes it. */
export function batchForm(operation: Operation): Operation {
  const { batchRequest } = operation;
  return batchRequest === undefined
    ? shortForm(operation)
    : { ...operation, request: batchRequest };
}

/** A request with a seed where its operation needs one and it names none. */
export function seeded<Input extends object>(
  { drawsSeed }: Pick<Operation, 'drawsSeed'>,
  input: Input,
  seed = randomSeed(),
): Input {
  return drawsSeed === true ? { seed, ...input } : input;
}

/** A seed for a request that need not be repeatable. */
export function randomSeed(): number {
  return randomInt(SEED_LIMITS.maximum + 1);
}

/** Largest body of a request for an operation, in bytes. */
export function bodyBytesMaxOf({ bodyBytesMax = BODY_BYTES_MAX }: Operation): number {
  return bodyBytesMax;
}

/** Keeps an operation's own types while checking it against `Operation`. */
export function defineOperation<
  const Name extends string,
  Request extends TObject,
  Response extends TObject,
>(operation: Operation<Name, Request, Response>): Operation<Name, Request, Response> {
  return operation;
}

import { randomInt } from 'node:crypto';
import type { Static, TObject } from 'typebox';
import { priceText } from '../core/billing-terms.js';
import type { ErrorCode } from '../core/errors.js';
import { BODY_BYTES_MAX, SEED_LIMITS } from '../core/limits.js';
import type { ColumnValues, RowTable } from '../table-formats/table.js';
import type { FoundFault } from './faults.js';
import type { PredictionModel } from './prediction-model.js';

/**
 * One prediction operation with everything that the service knows about it. The REST route, the MCP tool, the OpenAPI
 * document, the catalog, the command and the documentation are made from this object. `run` is pure: it does no input
 * or output.
 *
 * `check`, `cost` and `run` are methods, not properties, so that TypeScript accepts operations with different requests
 * in one list. Only `validateRequest` makes their input.
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
  /** What a language model must know to choose and call the tool, without the price. */
  readonly toolDescription: string;
  /** The price as a sentence for a language model. It is left out if nothing is charged. */
  readonly toolPrice: string;
  /** The command that answers from the artifacts without a server. */
  readonly command: { readonly name: string; readonly summary: string };
  /** Cost in words, as the catalog gives it. */
  readonly price: string;
  /** Set for operations whose answers name surveys. The catalog leaves them out, because it names no surveys. */
  readonly outsideCatalog?: true;
  readonly request: Request;
  readonly response: Response;
  /** A valid request, for the documentation. */
  readonly example: Static<Request>;
  /** Error codes that only some operations have. Each comes with a request that is refused with this code. */
  readonly refusals: Readonly<Partial<Record<ErrorCode, Static<Request>>>>;
  /**
   * Set if an operation takes longer than a few milliseconds. It is then computed outside the event loop, and the funds
   * are checked before.
   */
  readonly computed?: true;
  /** Whether a request of a computed operation takes less than 5 ms. It is then computed at once. */
  isQuick?(input: Static<Request>): boolean;
  /** Set if answers are kept for a while, because they take long to compute and are asked for again. */
  readonly cached?: true;
  /** Set if the operation is no tool over MCP. */
  readonly outsideTools?: true;
  /** Maximum size of a body of its route, in bytes. By default, `BODY_BYTES_MAX`. */
  readonly bodyBytesMax?: number;
  /** Finds faults that a schema cannot express. Returns an empty list if there are none. */
  check?(input: Static<Request>): readonly FoundFault[];
  /**
   * The work of a request of a computed operation: an estimate in ms of one core, made from the request alone
   * (`work.ts`). `validateRequest` refuses requests with too much work.
   */
  readonly work?: Work<Static<Request>>;
  /** Credits or free calls that one answer costs. If the cost is 0, the request only counts against the rate limit. */
  cost(input: Static<Request>): number;
  /** Set if the answer depends on a random seed. The request may name one as `seed`; otherwise a seed is drawn. */
  readonly drawsSeed?: true;
  /** Number of requests that this request counts as against the rate limit. By default, 1. */
  hits?(input: Static<Request>): number;
  /** Writes an answer as JSON text, if this is faster than by the operation's schema; see `answerJson`. */
  json?(answer: Static<Response>): string;
  /** The cost of an answer, if it can be less than `cost`. Only for computed operations. */
  charged?(answer: Static<Response>): number;
  /** The answer as rows, for operations whose request has a `format`. */
  readonly rows?: AnswerRows<Static<Request>>;
  /**
   * The schema of a request whose answer must be one short JSON text, for the MCP tool and entries of a batch. By
   * default, `request`. Every such request is also valid for `request`.
   */
  readonly shortRequest?: TObject;
  /** The schema of a request in a batch, if it differs from that of the tool. */
  readonly batchRequest?: TObject;
  /** The schema of a request of the MCP tool, if it differs from `shortRequest`. */
  readonly toolRequest?: TObject;
  /** The schema of the answer of the MCP tool, if it is shorter than `response`. */
  readonly toolResponse?: TObject;
  /** Makes the answer of the tool from the whole answer. The whole answer is stored for repeated requests. */
  toolAnswer?(answer: Static<Response>): object;
  /** Finds faults of a request whose answer would be longer than an MCP tool may return. */
  toolCheck?(input: Static<Request>): readonly FoundFault[];
  /** Writes the answer as a file, for operations whose answers can be files. */
  readonly file?: AnswerFile<Static<Request>, Static<Response>>;
  /** @throws Problem if the model has no answer for a valid request */
  run(input: Static<Request>, model: PredictionModel): Static<Response>;
}

/** The answer of an operation. */
export type AnswerOf<Asked extends Operation> = ReturnType<Asked['run']>;

/** An answer as a file. It is made as a whole. The same request and artifact give the same file. */
export interface AnswerFile<Input, Answer = object> {
  /** Media type of each format. */
  readonly types: Readonly<Record<string, string>>;
  /** Whether the request may ask for JSON instead of a file in its `format`. */
  readonly alsoJson: boolean;
  /** The format of the file that answers a request; undefined if the answer is JSON. */
  formatOf(input: Input): string | undefined;
  /** @throws Problem if the model has no answer for a valid request */
  make(input: Input, model: PredictionModel): Promise<MadeFile<Answer>>;
}

/** A file that answers a request. */
export interface MadeFile<Answer = object> {
  readonly bytes: Uint8Array;
  /** The answer that `run` would return. */
  readonly answer: Answer;
  /** Headers of the answer in addition to its type, such as `etag`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The cost of the file, if it can be less than `cost`. */
  readonly cost?: number;
}

/** The work of an operation. */
export interface Work<Input> {
  /** Estimate in ms of one core. */
  ms(input: Input): number;
  /** The largest estimate that is not refused, in ms. By default, `WORK_MS_MAX`. */
  readonly mostMs?: number;
  /** How to reduce the work, as the end of a sentence that begins with "Ask for". */
  readonly less: string;
}

/** An answer as rows. It is sent in chunks, as CSV, Arrow or a long list in JSON. */
export interface AnswerRows<Input> {
  /** @throws Problem if the model has no answer for a valid request */
  open(input: Input, model: PredictionModel): RowTable;
  /** The list in a JSON answer, if it can be long. The details of the answer follow it. */
  readonly list?: {
    /** Name of the list in the answer. */
    readonly field: string;
    /** Entries of the list. */
    count(input: Input): number;
    /** Makes the entries of some rows from the values of their columns. */
    items(table: RowTable, values: readonly ColumnValues[]): object[];
  };
}

/**
 * An operation in the form for transports whose answers must be one short JSON text.
 *
 * @returns the operation itself if its answers are always short
 */
export function shortForm(operation: Operation): Operation {
  const { shortRequest } = operation;
  return shortRequest === undefined ? operation : { ...operation, request: shortRequest };
}

/**
 * An operation in the form of an MCP tool.
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

/** An operation in the form for entries of a batch. */
export function batchForm(operation: Operation): Operation {
  const { batchRequest } = operation;
  return batchRequest === undefined
    ? shortForm(operation)
    : { ...operation, request: batchRequest };
}

/** Adds a seed to a request if its operation needs one and the request has none. */
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

/** Maximum size of the body of a request for an operation, in bytes. */
export function bodyBytesMaxOf({ bodyBytesMax = BODY_BYTES_MAX }: Operation): number {
  return bodyBytesMax;
}

/** Checks an operation against `Operation`, but keeps its own types. */
export function defineOperation<
  const Name extends string,
  Request extends TObject,
  Response extends TObject,
>(operation: Operation<Name, Request, Response>): Operation<Name, Request, Response> {
  return operation;
}

/** The cost and the price of an operation whose answers cost the same. */
export function fixedPrice(credits: number) {
  const toolPrice = `Costs ${priceText(credits)} on success.`;
  return { toolPrice, price: `${credits}`, cost: () => credits };
}

/** The price of an operation whose answer is one number. */
export const PRICE_OF_ONE = { toolPrice: fixedPrice(1).toolPrice, price: '1 on success' };

/** The price of a tool that returns several answers. */
export function costsOnePer(thing: string): string {
  return `Costs ${priceText(1)} per ${thing} on success.`;
}

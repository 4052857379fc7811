import type { Static, TObject } from 'typebox';
import type { PredictionModel } from './prediction-model.js';

/** Names of the five operations; MCP tools carry the same names. */
export type OperationName =
  | 'predict'
  | 'predict_range'
  | 'predict_compare'
  | 'percentile_lookup'
  | 'connected_dimension';

/**
 * One prediction operation, whole: REST routes, MCP tools, OpenAPI, the catalog, the command line
 * and the docs are all made from this. `run` is pure and does no input or output.
 */
export interface Operation<Request extends TObject = TObject, Response extends TObject = TObject> {
  readonly name: OperationName;
  /** Path of the POST route. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Cost in words, as the catalog gives it. */
  readonly price: string;
  readonly request: Request;
  readonly response: Response;
  /** A request that works, for docs and try-outs. */
  readonly example: Static<Request>;
  /** Faults a schema cannot state; an empty list when there are none. */
  readonly check?: (input: Static<Request>) => readonly { pointer: string; message: string }[];
  /** Credits or free calls one answer costs. */
  readonly cost: (input: Static<Request>) => number;
  /** @throws Problem when the model has no answer for a valid request */
  readonly run: (input: Static<Request>, model: PredictionModel) => Static<Response>;
}

/** Keeps an operation's own types while checking it against `Operation`. */
export function defineOperation<Request extends TObject, Response extends TObject>(
  operation: Operation<Request, Response>,
): Operation<Request, Response> {
  return operation;
}

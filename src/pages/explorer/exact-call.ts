import type { Operation } from '../../operations/operation.js';
import type { ExactCall } from './chart-data-types.js';

/**
 * A call of the API as a page shows it, with its price.
 *
 * @param body a request whose lists are present; it is not validated
 */
export function exactCallOf(
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
): ExactCall {
  const { name, path } = operation;
  return { operation: name, path, credits: operation.cost(body as never), body };
}

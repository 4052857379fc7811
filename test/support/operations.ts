import { Problem } from '../../src/core/errors.js';
import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';

/** The operations that answer in JSON from every artifact. Bodies are files and need a mesh. */
export const JSON_OPERATIONS = OPERATIONS.filter(({ file }) => file === undefined);

/** The operations that are tools over MCP. */
export const TOOL_OPERATIONS = OPERATIONS.filter(({ outsideTools }) => outsideTools !== true);

/** @throws Error if there is no such operation */
export function operationNamed(name: string): Operation {
  const found = OPERATIONS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found as Operation;
}

/** The answer of a call, or the refusal that it throws. */
export function answerOrRefusal<T>(call: () => T): T | Problem {
  try {
    return call();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** @throws Error if the call is answered */
export function refusalOf(call: () => unknown): Problem {
  const found = answerOrRefusal(call);
  if (found instanceof Problem) return found;
  throw new Error('it was answered');
}

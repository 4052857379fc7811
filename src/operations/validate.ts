import type { Static, TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { type Fault, Problem } from '../core/errors.js';
import { type CodedFault, explain } from './faults.js';
import { OPERATIONS } from './index.js';
import type { Operation, OperationName } from './operation.js';

/** Faults listed in one refusal; a body of 16 KiB has room for thousands. */
const MOST_FAULTS = 50;
/** Items of a list that are looked at for faults: enough for that many, and too many for any list. */
const MOST_ITEMS = 100;

// The checker stops at 8 reports unless told otherwise, and gives some faults two of them.
Settings.Set({ maxErrors: 4 * MOST_FAULTS });

const CHECKERS: ReadonlyMap<OperationName, Validator> = new Map(
  OPERATIONS.map((operation) => [operation.name, Compile(operation.request) as Validator]),
);

/**
 * The one validator of requests, for every transport. Takes JSON as written: nothing is coerced,
 * filled in or dropped.
 *
 * @throws Problem `unknown_measurement`, `unknown_clothing` or `unknown_posture` when unknown names
 *   of that kind are the only faults, else `validation_error`; all faults are listed
 */
export function validateRequest<Request extends TObject>(
  operation: Operation<Request>,
  body: unknown,
): Static<Request> {
  const checker = CHECKERS.get(operation.name);
  if (checker === undefined) throw new Error(`operation ${operation.name} is not in OPERATIONS`);
  if (!checker.Check(body)) throw refusal(schemaFaults(operation, checker, body));
  const input = body as Static<Request>;
  const faults = operation.check?.(input) ?? [];
  if (faults.length > 0) throw new Problem('validation_error', detail(faults), { errors: faults });
  return input;
}

function schemaFaults(
  operation: Operation<TObject>,
  checker: Validator,
  body: unknown,
): CodedFault[] {
  const allowed = Object.keys(operation.request.properties);
  const flat = withoutDepths(body);
  const faults = checker.Errors(flat).flatMap((report) => explain(report, flat, allowed));
  return faults.slice(0, MOST_FAULTS);
}

/**
 * The body with everything nested inside a list's items or a field's object cut off, and lists cut
 * short. No valid request nests so deep or lists so much, but the checker, which compares items in
 * pairs and by walking them, would be busy for long or overflow the stack on a body made to do so.
 */
function withoutDepths(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const emptied = (value: unknown, index: number) =>
    typeof value === 'object' && value !== null ? { index } : value;
  const entries = Object.entries(body).map(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [name, value.slice(0, MOST_ITEMS).map(emptied)];
    return [name, emptied(value, 0)];
  });
  return Object.fromEntries(entries);
}

function refusal(faults: readonly CodedFault[]): Problem {
  const [first] = faults;
  const code =
    first !== undefined && faults.every((fault) => fault.code === first.code)
      ? first.code
      : 'validation_error';
  const errors = faults.map(({ pointer, message }) => ({ pointer, message }));
  return new Problem(code, detail(errors), { errors });
}

function detail(faults: readonly Fault[]): string {
  const [first, ...others] = faults;
  if (first === undefined) return 'The body is not valid.';
  if (others.length === 0) return first.message;
  return `${first.message} (${others.length} more in errors)`;
}

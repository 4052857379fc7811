import type { Static, TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { type Fault, Problem } from '../core/errors.js';
import { type CodedFault, explain } from './faults.js';
import { OPERATIONS } from './index.js';
import type { Operation } from './operation.js';

/** Most faults listed in one refusal; a body of the allowed size has room for thousands. */
const MOST_FAULTS = 50;
/** Items of a list that are looked at for faults: enough for that many, and too many for any list. */
const MOST_ITEMS = 100;

// The checker stops at 8 reports unless told otherwise, and gives some faults two of them.
Settings.Set({ maxErrors: 4 * MOST_FAULTS });

/** Checks a body; throws the Problem it deserves. */
type Check<Request extends TObject> = (body: unknown) => Static<Request>;

/**
 * Makes the validator of one request schema. Takes JSON as written: nothing is coerced, filled in
 * or dropped.
 *
 * @returns a function that throws Problem `unknown_measurement`, `unknown_clothing` or
 *   `unknown_posture` when unknown names of that kind are the only faults, else
 *   `validation_error`; all faults are listed
 */
export function requestValidator<Request extends TObject>(
  schema: Request,
  check?: Operation<string, Request>['check'],
): Check<Request> {
  const checker = Compile(schema) as Validator;
  const allowed = Object.keys(schema.properties);
  return (body) => {
    if (!checker.Check(body)) throw refusal(schemaFaults(checker, allowed, body));
    const input = body as Static<Request>;
    const faults = check?.(input) ?? [];
    if (faults.length > 0) {
      throw new Problem('validation_error', detail(faults), { errors: faults });
    }
    return input;
  };
}

const VALIDATORS: ReadonlyMap<string, Check<TObject>> = new Map(
  OPERATIONS.map(({ name, request, check }) => [name, requestValidator(request, check)]),
);

/**
 * The one validator of an operation's requests, for every transport; see `requestValidator`.
 *
 * @throws Problem
 */
export function validateRequest<Request extends TObject>(
  operation: Operation<string, Request>,
  body: unknown,
): Static<Request> {
  const validate = VALIDATORS.get(operation.name);
  if (validate === undefined) throw new Error(`operation ${operation.name} is not in OPERATIONS`);
  return validate(body) as Static<Request>;
}

function schemaFaults(checker: Validator, allowed: readonly string[], body: unknown): CodedFault[] {
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

import type { Static, TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { Value } from 'typebox/value';
import { type Fault, Problem } from '../core/errors.js';
import { type CodedFault, escapeToken, explain, type SchemaReport } from './faults.js';
import { OPERATIONS } from './index.js';
import type { Operation } from './operation.js';

/** Most faults listed in one refusal; a body of the allowed size has room for thousands. */
const MOST_FAULTS = 50;
/** Most items of a list that are checked for faults; no valid list has as many. */
const MOST_ITEMS = 100;

// By default the checker stops at 8 reports; some faults have two reports.
Settings.Set({ maxErrors: 4 * MOST_FAULTS });

/** Checks a body; throws a Problem if it is not valid. */
type Check<Request extends TObject> = (body: unknown) => Static<Request>;

/**
 * Creates the validator of one request schema. It takes JSON as it is: it converts, adds and drops
 * nothing.
 *
 * @returns a function that throws Problem `unknown_measurement`, `unknown_clothing` or
 *   `unknown_posture` if unknown names of that kind are the only faults, otherwise
 *   `validation_error`; all faults are listed
 */
export function requestValidator<Request extends TObject>(
  schema: Request,
  check?: Operation<string, Request>['check'],
): Check<Request> {
  const checker = Compile(schema) as Validator;
  return (body) => {
    if (!checker.Check(body)) throw refusal(schemaFaults(schema, body));
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
 * Validates a request of an operation, for all transports; see `requestValidator`.
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

/**
 * The faults of a body that is not valid: missing fields, unlisted fields, then wrong values. The
 * checker could report all of them, but it takes longer than an answer, because it goes through the
 * whole schema for each of them.
 */
function schemaFaults(schema: TObject, body: unknown): CodedFault[] {
  const flat = withoutNesting(body);
  const allowed = Object.keys(schema.properties);
  const told = (report: SchemaReport) => explain(report, flat, allowed);
  if (!isObject(flat)) return Value.Errors(schema, flat).flatMap(told);
  const faults: CodedFault[] = [];
  const { required = [] } = schema as { required?: string[] };
  const missing = required.filter((name) => !Object.hasOwn(flat, name));
  const params = { requiredProperties: missing };
  faults.push(...told({ keyword: 'required', instancePath: '', params }));
  for (const name of Object.keys(flat)) {
    if (faults.length >= MOST_FAULTS) break;
    if (Object.hasOwn(schema.properties, name)) continue;
    const instancePath = `/${escapeToken(name)}`;
    faults.push(...told({ keyword: 'boolean', instancePath, params: {} }));
  }
  for (const [name, field] of Object.entries(schema.properties)) {
    const value = flat[name];
    if (!Object.hasOwn(flat, name) || (value === undefined && !required.includes(name))) continue;
    for (const { keyword, instancePath, params } of reportsOf(field, value)) {
      faults.push(...told({ keyword, instancePath: `/${name}${instancePath}`, params }));
    }
  }
  return faults.slice(0, MOST_FAULTS);
}

const FIELD_CHECKERS = new WeakMap<TSchema, Validator>();

/** What is wrong with the value of one field. */
function reportsOf(field: TSchema, value: unknown): SchemaReport[] {
  const { enum: allowedValues } = field as { enum?: readonly unknown[] };
  // The checker compares a value with each name of a list in a general way, which takes long.
  if (allowedValues !== undefined && typeof value === 'string') {
    if (allowedValues.includes(value)) return [];
    return [{ keyword: 'enum', instancePath: '', params: { allowedValues } }];
  }
  let checker = FIELD_CHECKERS.get(field);
  if (checker === undefined) {
    checker = Compile(field) as Validator;
    FIELD_CHECKERS.set(field, checker);
  }
  return checker.Check(value) ? [] : checker.Errors(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The body with shortened lists, and without anything nested inside list items or objects. Valid
 * requests have no such nesting and no longer lists. The checker compares items in pairs and
 * recursively, so a hostile body could keep it busy for long or overflow the stack.
 */
function withoutNesting(body: unknown): unknown {
  if (!isObject(body)) return body;
  if (Object.values(body).every((value) => typeof value !== 'object')) return body;
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

import buildSerializer from 'fast-json-stringify';
import type { Static, TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type Fault, Problem } from '../core/errors.js';
import type { CodedFault } from './faults.js';
import type { Operation } from './operation.js';
import { type Composite, schemaFaults } from './schema-faults.js';
import { checkWork } from './work.js';

/** Most levels of a body whose schema does not limit them. */
const MOST_LEVELS = 16;
const TOO_DEEP: CodedFault = {
  pointer: '',
  message: `The body is nested too deeply; it may have ${MOST_LEVELS} levels.`,
  code: 'validation_error',
};

/** Checks a body; throws a Problem if it is not valid. */
type Check<Request extends TObject> = (body: unknown) => Static<Request>;

/**
 * Creates the validator of one request schema, which may hold objects and lists of objects. It takes
 * JSON as it is: it converts, adds and drops nothing.
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
  const open = isOpen(schema);
  return (body) => {
    if (!checker.Check(body)) throw refusal(schemaFaults(schema, body));
    if (open && isDeeperThan(body, MOST_LEVELS)) throw refusal([TOO_DEEP]);
    const input = body as Static<Request>;
    const faults = check?.(input) ?? [];
    if (faults.length > 0) {
      throw new Problem('validation_error', detail(faults), { errors: faults });
    }
    return input;
  };
}

const VALIDATORS = new WeakMap<Operation<string, TObject>, Check<TObject>>();

/**
 * Validates a request of an operation, for all transports; see `requestValidator`.
 *
 * @throws Problem also `computation_too_large`
 */
export function validateRequest<Request extends TObject>(
  operation: Operation<string, Request>,
  body: unknown,
): Static<Request> {
  return validatorOf(operation)(body) as Static<Request>;
}

function validatorOf<Request extends TObject>(operation: Operation<string, Request>) {
  let validator = VALIDATORS.get(operation);
  if (validator === undefined) {
    const valid = requestValidator(operation.request, operation.check?.bind(operation));
    validator = (body) => {
      const input = valid(body);
      checkWork(operation, input);
      return input;
    };
    VALIDATORS.set(operation, validator);
  }
  return validator;
}

/** Whether a schema allows content that it does not describe. */
function isOpen(schema: TSchema): boolean {
  const { properties, items, additionalProperties } = schema as Partial<Composite>;
  if (items !== undefined) return isOpen(items);
  if (properties === undefined) return !('type' in schema) || schema.type === 'object';
  return additionalProperties !== false || Object.values(properties).some(isOpen);
}

/** Whether a JSON value has more levels of objects and lists. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
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

type Serializer = (answer: object) => string;

const SERIALIZERS = new WeakMap<object, Serializer>();

/**
 * An operation's answer as JSON text, without `remaining_free_calls`.
 *
 * @throws Error when a number in it is not finite; such an answer is never sent
 */
export function answerJson(
  operation: Pick<Operation, 'response' | 'json'>,
  answer: object,
): string {
  if (operation.json !== undefined) return operation.json(answer as never);
  assertFinite(answer);
  return serializerOf(operation)(answer);
}

function serializerOf({ response }: Pick<Operation, 'response'>): Serializer {
  let serializer = SERIALIZERS.get(response);
  if (serializer === undefined) {
    serializer = buildSerializer(response as object) as Serializer;
    SERIALIZERS.set(response, serializer);
  }
  return serializer;
}

// JSON has no NaN or infinity; a serializer would silently write `null` or a wrong number.
function assertFinite(value: unknown): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error('an answer holds a number that is not finite');
  } else if (typeof value === 'object' && value !== null) {
    for (const name in value) assertFinite((value as Record<string, unknown>)[name]);
  }
}

/** Makes the validator and the serializer of an operation, which takes longer than a request. */
export function prepare(operation: Operation): void {
  validatorOf(operation);
  serializerOf(operation);
}

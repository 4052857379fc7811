import buildSerializer from 'fast-json-stringify';
import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { fault } from '../core/errors.js';
import { FaultList } from './faults.js';
import type { Operation } from './operation.js';
import { type Composite, schemaFaults } from './schema-faults.js';
import { checkWork } from './work.js';

/** Maximum number of levels of a body, if its schema does not limit them. */
const MOST_LEVELS = 16;
const TOO_DEEP = fault('')`The body is nested too deeply; it may have ${MOST_LEVELS} levels.`;

/** Returns the faults of a body, or undefined for a valid body. */
type FindFaults = (body: unknown) => FaultList | undefined;

/** Faults that a schema cannot state. */
type CheckMore<Request extends TObject> = Operation<string, Request>['check'];

/**
 * Creates the validator of one request schema, which may contain objects and lists of objects. The validator does not
 * change the JSON: it converts, adds and drops nothing.
 *
 * @returns a function that throws a Problem with the first faults. Its code is `unknown_measurement`,
 * `unknown_clothing` or `unknown_posture` if unknown names of that kind are the only faults, and otherwise
 * `validation_error`.
 */
export function requestValidator<Request extends TObject>(
  schema: Request,
  check?: CheckMore<Request>,
): (body: unknown) => Static<Request> {
  const find = faultFinder(schema, check);
  return (body) => validated(body, find(body)) as Static<Request>;
}

function faultFinder<Request extends TObject>(
  schema: Request,
  check?: CheckMore<Request>,
): FindFaults {
  const checker = Compile(schema);
  const open = isOpen(schema);
  return (body) => {
    if (!checker.Check(body)) return schemaFaults(schema, body);
    const found = open && isDeeperThan(body, MOST_LEVELS) ? [TOO_DEEP] : check?.(body as never);
    if (found === undefined || found.length === 0) return undefined;
    const faults = new FaultList();
    for (const fault of found) faults.add(fault);
    return faults;
  };
}

function validated(body: unknown, faults: FaultList | undefined): unknown {
  if (faults !== undefined) throw faults.problem();
  return body;
}

const FINDERS = new WeakMap<Operation<string, TObject>, FindFaults>();

/**
 * Validates a request of an operation, for all transports; see `requestValidator`.
 *
 * @throws Problem also `computation_too_large`
 */
export function validateRequest<Request extends TObject>(
  operation: Operation<string, Request>,
  body: unknown,
): Static<Request> {
  const input = validated(body, requestFaults(operation, body)) as Static<Request>;
  if (operation.work !== undefined) checkWork(operation, input);
  return input;
}

/** The faults of a request of an operation; undefined for a valid request. Its work is not checked. */
export function requestFaults<Request extends TObject>(
  operation: Operation<string, Request>,
  body: unknown,
): FaultList | undefined {
  return finderOf(operation)(body);
}

function finderOf<Request extends TObject>(operation: Operation<string, Request>): FindFaults {
  let find = FINDERS.get(operation);
  if (find === undefined) {
    find = faultFinder(operation.request, operation.check?.bind(operation));
    FINDERS.set(operation, find);
  }
  return find;
}

/** Whether a schema accepts content that it does not describe. */
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
  // A list of the values is not made, because that would take as long as the search.
  if (Array.isArray(value)) return value.some((inner) => isDeeperThan(inner, levels - 1));
  for (const name in value) {
    if (isDeeperThan((value as Record<string, unknown>)[name], levels - 1)) return true;
  }
  return false;
}

type Serializer = (answer: object) => string;

const SERIALIZERS = new WeakMap<object, Serializer>();

/**
 * An operation's answer as JSON text, without `remaining_free_calls`.
 *
 * @throws Error if a number in the answer is not finite; such an answer must not be sent
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

// JSON has no NaN or infinity. A serializer would silently write `null` or a wrong number instead.
function assertFinite(value: unknown): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error('an answer holds a number that is not finite');
  } else if (typeof value === 'object' && value !== null) {
    for (const name in value) assertFinite((value as Record<string, unknown>)[name]);
  }
}

/** Makes the validator and the serializer of an operation. This takes longer than a request. */
export function prepare(operation: Operation): void {
  finderOf(operation);
  serializerOf(operation);
}

import buildSerializer from 'fast-json-stringify';
import { OPERATIONS } from '../operations/index.js';
import type { OperationName } from '../operations/operation.js';

type Serializer = (answer: unknown) => string;

const SERIALIZERS = new Map<OperationName, Serializer>(
  OPERATIONS.map(({ name, response }) => [name, buildSerializer(response as object) as Serializer]),
);

/**
 * An operation's answer as JSON text, without `remaining_free_calls`.
 *
 * @throws Error when a number in it is not finite: a broken invariant, never to be sent
 */
export function answerJson(name: OperationName, answer: unknown): string {
  const serialize = SERIALIZERS.get(name);
  if (serialize === undefined) throw new Error(`operation ${name} is not in OPERATIONS`);
  assertFinite(answer);
  return serialize(answer);
}

// JSON has no NaN or infinity; a serializer would write `null` or a wrong number in silence.
function assertFinite(value: unknown): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error('an answer holds a number that is not finite');
  } else if (typeof value === 'object' && value !== null) {
    for (const name in value) assertFinite((value as Record<string, unknown>)[name]);
  }
}

/** The answer as sent: with the free calls left spliced in when the free tier paid. */
export function withFreeCalls(json: string, remainingFreeCalls: number | undefined): string {
  if (remainingFreeCalls === undefined) return json;
  return `${json.slice(0, -1)},"remaining_free_calls":${remainingFreeCalls}}`;
}

import { existsSync, writeFileSync } from 'node:fs';
import Type from 'typebox';
import { Problem } from '../../src/core/errors.js';
import { POPULATION_BODY_BYTES_MAX } from '../../src/core/limits.js';
import { remainingFreeCallsField } from '../../src/operations/fields.js';
import { defineOperation, type Operation } from '../../src/operations/operation.js';

const request = Type.Object(
  {
    /** How long it computes. */
    ms: Type.Number({ minimum: 0 }),
    /** File that it writes when it begins. */
    begun: Type.Optional(Type.String()),
    /** File until whose appearance it computes. */
    until: Type.Optional(Type.String()),
    /** Length of the answer. */
    chars: Type.Optional(Type.Integer({ minimum: 0 })),
    cost: Type.Optional(Type.Integer({ minimum: 0 })),
    outcome: Type.Optional(Type.Enum(['problem', 'fault', 'NaN'])),
    seed: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
);
const response = Type.Object({
  text: Type.String(),
  seed: Type.Number(),
  artifactVersion: Type.String(),
  ...remainingFreeCallsField,
});

/** An operation that computes as long, and answers as much, as the request says. */
const HEAVY = defineOperation({
  name: 'heavy',
  path: '/v1/heavy',
  title: 'Compute for long',
  description: 'Computes.',
  toolDescription: 'Computes.',
  command: { name: 'heavy', summary: 'compute' },
  price: '5',
  request,
  response,
  example: { ms: 1 },
  refusals: {},
  heavy: true,
  bodyBytesMax: POPULATION_BODY_BYTES_MAX,
  cost: ({ cost = 5 }) => cost,
  draw: ({ seed = Math.floor(Math.random() * 2 ** 32) }) => ({ seed }),
  run({ ms, begun, until, chars = 3, outcome, seed = -1 }, model) {
    if (begun !== undefined) writeFileSync(begun, '');
    while (until !== undefined && !existsSync(until));
    const endMs = performance.now() + ms;
    while (performance.now() < endMs);
    if (outcome === 'problem') {
      throw new Problem('value_out_of_range', 'too far', { minimum: 1, maximum: 2, unit: 'mm' });
    }
    if (outcome === 'fault') throw new Error('secret cause');
    const { artifactVersion } = model;
    const text = String(seed).padEnd(chars, '.');
    return { text, seed: outcome === 'NaN' ? Number.NaN : seed, artifactVersion };
  },
});

/** The operations of a service for tests. */
export const OPERATIONS: readonly Operation[] = [HEAVY];

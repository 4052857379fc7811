import { existsSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { Problem } from '../../src/core/errors.js';
import { POPULATION_BODY_BYTES_MAX } from '../../src/core/limits.js';
import { formatField } from '../../src/operations/answer-formats.js';
import { closedObject, paidAnswer } from '../../src/operations/fields.js';
import { defineOperation, type Operation } from '../../src/operations/operation.js';
import type { ColumnValues, RowTable } from '../../src/table-formats/table.js';
import { pause } from './pause.js';

/** The module to give to a pool. */
export const HEAVY_OPERATIONS = import.meta.url;

const request = closedObject({
  /** How long it computes. */
  ms: Type.Number({ minimum: 0 }),
  /** Length of the answer. */
  chars: Type.Optional(Type.Integer({ minimum: 0 })),
  cost: Type.Optional(Type.Integer({ minimum: 0 })),
  outcome: Type.Optional(Type.Enum(['problem'])),
  seed: Type.Optional(Type.Integer()),
});
const response = paidAnswer({
  text: Type.String(),
  seed: Type.Number(),
  artifactVersion: Type.String(),
});

/** An operation whose request says how long it computes and how much it answers. */
const HEAVY = defineOperation({
  name: 'heavy',
  path: '/v1/heavy',
  title: 'Compute for long',
  description: 'Computes.',
  toolDescription: 'Computes.',
  toolPrice: 'Costs 5 credits or free calls.',
  command: { name: 'heavy', summary: 'compute' },
  price: '5',
  request,
  response,
  example: { ms: 1 },
  work: { ms: () => 1000, mostMs: 5000, less: 'time' },
  refusals: {},
  computed: true,
  bodyBytesMax: POPULATION_BODY_BYTES_MAX,
  cost: ({ cost = 5 }) => cost,
  drawsSeed: true,
  run({ ms, chars = 3, outcome, seed = -1 }, model) {
    const endMs = performance.now() + ms;
    while (performance.now() < endMs);
    if (outcome === 'problem') {
      throw new Problem('value_out_of_range', 'too far', { minimum: 1, maximum: 2, unit: 'mm' });
    }
    const { artifactVersion } = model;
    const text = String(seed).padEnd(chars, '.');
    return { text, seed, artifactVersion };
  },
});

const rowsRequest = closedObject({
  count: Type.Integer({ minimum: 1 }),
  ...formatField,
  /** Row whose part fails. */
  faultAt: Type.Optional(Type.Integer()),
  /** Row whose part waits until this file appears. */
  waitAt: Type.Optional(Type.Integer()),
  until: Type.Optional(Type.String()),
  seed: Type.Optional(Type.Integer()),
  /** Minimum length of a name. */
  chars: Type.Optional(Type.Integer({ minimum: 0 })),
});
const rowsResponse = paidAnswer({
  rows: Type.Array(Type.Object({ name: Type.String(), value: Type.Optional(Type.Number()) })),
  seed: Type.Number(),
});

/** An operation whose request says how many rows it answers. Every third row has no value. */
const ROWS = defineOperation({
  name: 'rows',
  path: '/v1/rows',
  title: 'Rows',
  description: 'Rows.',
  toolDescription: 'Rows.',
  toolPrice: 'Costs 5 credits or free calls.',
  command: { name: 'rows', summary: 'rows' },
  price: '5',
  request: rowsRequest,
  response: rowsResponse,
  example: { count: 1 },
  refusals: {},
  computed: true,
  cost: () => 5,
  drawsSeed: true,
  rows: { open: openRows, list: { field: 'rows', count: ({ count }) => count, items: rowItems } },
  run(input) {
    const table = openRows(input);
    return { rows: rowItems(table, table.read(0, table.rowCount)), seed: input.seed ?? -1 };
  },
});

function openRows(input: Static<typeof rowsRequest>): RowTable {
  const { count, faultAt = -1, waitAt = -1, until = '', seed = -1, chars = 0 } = input;
  return {
    columns: [
      { name: 'name', type: 'text' },
      { name: 'value', type: 'number' },
    ],
    rowCount: count,
    details: { seed },
    read(from, to) {
      if (faultAt >= from && faultAt < to) throw new Error('secret cause');
      while (waitAt >= from && waitAt < to && !existsSync(until)) pause();
      const rows = Array.from({ length: to - from }, (_, i) => from + i);
      const values = rows.map((row) => (row % 3 === 2 ? Number.NaN : row / 4));
      return [
        rows.map((row) => (row === 1 ? '=1+1' : `${seed}-${row}`.padEnd(chars, '.'))),
        Float64Array.from(values),
      ];
    },
  };
}

function rowItems(_: RowTable, [names = [], values = []]: readonly ColumnValues[]) {
  return (names as readonly string[]).map((name, row) => {
    const value = values[row] as number;
    return Number.isNaN(value) ? { name } : { name, value };
  });
}

/** The operations of a service for tests. */
export const OPERATIONS: readonly Operation[] = [HEAVY, ROWS];

import { beforeAll, expect, it } from 'vitest';
import { toolsOf } from '../support/mcp.js';
import { useService } from '../support/use-service.js';

// The list of tools as clients of other models send it on. Both models refuse a whole list for one fault.

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

interface Tool {
  readonly name: string;
  readonly inputSchema: Schema;
}

const service = useService();
let tools: readonly Tool[];
beforeAll(async () => {
  tools = await toolsOf(service);
});

/** Every schema inside a schema, with its path. */
function nodes(schema: Schema, path = ''): [string, Schema][] {
  const { properties = {}, items } = schema;
  const inner = [...Object.entries(properties), ...(items ? [['items', items] as const] : [])];
  return [[path, schema], ...inner.flatMap(([name, one]) => nodes(one, `${path}/${name}`))];
}

/** Paths of all schemas, of all tools, of which something is true. */
function where(is: (schema: Schema) => boolean): string[] {
  return tools.flatMap(({ name, inputSchema }) =>
    nodes(inputSchema)
      .filter(([, schema]) => is(schema))
      .map(([path]) => `${name}${path}`),
  );
}

/**
 * Keywords that both have: strict schemas of OpenAI ("Structured model outputs", "Supported schemas") and the type
 * `Schema` of the Gemini API (`parametersJsonSchema`, without `additionalProperties`, which its libraries remove).
 */
const KEYWORDS = new Set(
  'type description enum properties required additionalProperties items minimum maximum minItems maxItems'.split(
    ' ',
  ),
);
/** Limits of a strict schema (same page, "Objects have limitations"). */
const LIMITS = { levels: 10, fields: 5000, values: 1000 };

it('has closed objects with fields, lists with items, typed values and no other keywords', () => {
  expect(where((schema) => Object.keys(schema).some((one) => !KEYWORDS.has(one)))).toEqual([]);
  expect(where(({ type }) => typeof type !== 'string')).toEqual([]);
  expect(where(({ type, items }) => type === 'array' && !items)).toEqual([]);
  const isOpen = ({ type, properties = {}, additionalProperties }: Schema) =>
    type === 'object' && (additionalProperties !== false || Object.keys(properties).length === 0);
  expect(where(isOpen)).toEqual([]);
  // Only texts may have a list of values.
  expect(where(({ enum: values, type }) => !!values && type !== 'string')).toEqual([]);
  const unknown = ({ properties = {}, required = [] }: Schema) =>
    required.some((name) => !(name in properties));
  expect(where(unknown)).toEqual([]);
});

it('keeps within the limits of a schema', () => {
  for (const { name, inputSchema } of tools) {
    expect(name).toMatch(/^[\w-]{1,64}$/);
    const all = nodes(inputSchema);
    // Levels of objects; the steps through a list are none.
    const levels = all.map(
      ([path]) => path.split('/').filter((step) => step !== '' && step !== 'items').length,
    );
    const sum = (of: (schema: Schema) => object | undefined) =>
      all.reduce((total, [, schema]) => total + Object.keys(of(schema) ?? {}).length, 0);
    expect(Math.max(...levels)).toBeLessThanOrEqual(LIMITS.levels);
    expect(sum(({ properties }) => properties)).toBeLessThanOrEqual(LIMITS.fields);
    expect(sum(({ enum: values }) => values)).toBeLessThanOrEqual(LIMITS.values);
  }
});

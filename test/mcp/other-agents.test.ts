import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callMcp, rpc } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

// The list of tools as clients of other models send it on. Both models refuse a whole list for one fault.

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

interface Tool {
  readonly name: string;
  readonly inputSchema: Schema;
}

let service: TestService;
let tools: readonly Tool[];
beforeAll(async () => {
  service = await startService();
  const { headers } = await service.customer();
  const { body } = await callMcp(service, '2026-07-28', rpc('2026-07-28', 'tools/list'), headers);
  tools = body.result.tools;
});
afterAll(() => service.close());

/** Every schema inside a schema, with its path. */
function nodes(schema: Schema, path = ''): [string, Schema][] {
  const { properties = {}, items, anyOf = [] } = schema;
  const inner: [string, Schema][] = [
    ...Object.entries(properties),
    ...(items === undefined ? [] : [['items', items] as [string, Schema]]),
    ...anyOf.map((one, i): [string, Schema] => [`anyOf ${i}`, one]),
  ];
  return [[path, schema], ...inner.flatMap(([name, one]) => nodes(one, `${path}/${name}`))];
}

/** Paths of all schemas, of all tools after a conversion, of which something is true. */
function where(convert: (schema: Schema) => Schema, is: (schema: Schema) => boolean): string[] {
  return tools.flatMap(({ name, inputSchema }) =>
    nodes(convert(inputSchema))
      .filter(([, schema]) => is(schema))
      .map(([path]) => `${name}${path}`),
  );
}

const keysBeyond = (known: ReadonlySet<string>) => (schema: Schema) =>
  Object.keys(schema).some((keyword) => !known.has(keyword));

/**
 * A strict function of OpenAI, as `mcpToFunctionTool` with `convertSchemasToStrict` makes it (openai-agents,
 * `strictToolSchema`): every field is required, optional ones may be null, and open objects are refused.
 */
function strictFunction(schema: Schema): Schema {
  const { properties, items, ...others } = schema;
  if (schema.type === 'object' && schema.additionalProperties !== false) {
    throw new Error(`an open object: ${JSON.stringify(schema)}`);
  }
  const fields = Object.entries(properties ?? {}).map(([name, field]): [string, Schema] => {
    const strict = strictFunction(field);
    const isRequired = schema.required?.includes(name) === true;
    return [name, isRequired ? strict : { anyOf: [strict, { type: 'null' }] }];
  });
  return {
    ...others,
    ...(items === undefined ? {} : { items: strictFunction(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(fields), required: fields.map(([name]) => name) }),
  };
}

/** Keywords of strict schemas (OpenAI, "Structured model outputs", "Supported schemas"). */
const STRICT = new Set(
  'type description enum anyOf properties required additionalProperties items pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'.split(
    ' ',
  ),
);
/** Limits of a strict schema (same page, "Objects have limitations"). */
const STRICT_LIMITS = { levels: 10, fields: 5000, values: 1000 };

describe('the functions of OpenAI', () => {
  it('have closed objects, typed values and no other keywords', () => {
    expect(where(strictFunction, keysBeyond(STRICT))).toEqual([]);
    expect(where(strictFunction, ({ type, anyOf }) => (type ?? anyOf) === undefined)).toEqual([]);
    expect(where(strictFunction, ({ type, items }) => type === 'array' && !items)).toEqual([]);
    const isEmpty = ({ type, properties = {} }: Schema) =>
      type === 'object' && Object.keys(properties).length === 0;
    expect(where(strictFunction, isEmpty)).toEqual([]);
  });

  it('keep within the limits of a schema', () => {
    for (const { name, inputSchema } of tools) {
      expect(name).toMatch(/^[\w-]{1,64}$/);
      const all = nodes(strictFunction(inputSchema));
      // Levels of objects; the steps through a list or an alternative are none.
      const levels = all.map(
        ([path]) => path.split('/').filter((step) => !/^(items|anyOf \d)?$/.test(step)).length,
      );
      const sum = (of: (schema: Schema) => object | undefined) =>
        all.reduce((total, [, schema]) => total + Object.keys(of(schema) ?? {}).length, 0);
      expect(Math.max(...levels)).toBeLessThanOrEqual(STRICT_LIMITS.levels);
      expect(sum(({ properties }) => properties)).toBeLessThanOrEqual(STRICT_LIMITS.fields);
      expect(sum(({ enum: values }) => values)).toBeLessThanOrEqual(STRICT_LIMITS.values);
    }
  });
});

/**
 * A declaration of Gemini, as `Schema.from_json_schema` (python-genai) and `processJsonSchema` (js-genai) make it: types
 * in capitals, and no `additionalProperties`.
 */
function declaration({ additionalProperties: _, ...schema }: Schema): Schema {
  const { type, properties, items } = schema;
  return {
    ...schema,
    type: type?.toUpperCase() ?? 'TYPE_UNSPECIFIED',
    ...(items === undefined ? {} : { items: declaration(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, declaration(one)]),
          ),
        }),
  };
}

/** Fields of the type `Schema` of the Gemini API that its JSON Schema has too (`parametersJsonSchema`). */
const GEMINI = new Set(
  'type format title description enum items minItems maxItems minimum maximum anyOf properties required'.split(
    ' ',
  ),
);

describe('the declarations of Gemini', () => {
  it('have typed values, lists with items, objects with fields and no other keywords', () => {
    expect(where(declaration, keysBeyond(GEMINI))).toEqual([]);
    expect(where(declaration, ({ type }) => type === 'TYPE_UNSPECIFIED')).toEqual([]);
    expect(where(declaration, ({ type, items }) => type === 'ARRAY' && !items)).toEqual([]);
    const isEmpty = ({ type, properties = {} }: Schema) =>
      type === 'OBJECT' && Object.keys(properties).length === 0;
    expect(where(declaration, isEmpty)).toEqual([]);
    // Only texts may have a list of values.
    expect(where(declaration, ({ enum: values, type }) => !!values && type !== 'STRING')).toEqual(
      [],
    );
    const unknown = ({ properties = {}, required = [] }: Schema) =>
      required.some((name) => !(name in properties));
    expect(where(declaration, unknown)).toEqual([]);
  });
});

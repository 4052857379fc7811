import { Validator } from '@seriousme/openapi-schema-validator';
import { Compile } from 'typebox/schema';
import { beforeAll, describe, expect, it } from 'vitest';
import { schemaNames } from '../../src/api/named-schemas.js';
import { COUNTRIES } from '../../src/core/countries.js';
import { ERRORS } from '../../src/core/errors.js';
import { MEASUREMENT_NAMES, MEASUREMENTS } from '../../src/core/measurements.js';
import { CLOTHING, POSTURES } from '../../src/core/profiles.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { body } from '../../src/operations/body.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { predict } from '../../src/operations/predict.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { reachEnvelope } from '../../src/operations/reach-envelope.js';
import { JSON_OPERATIONS } from '../support/operations.js';
import { startService } from '../support/service.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { useService } from '../support/use-service.js';

const ARROW = 'application/vnd.apache.arrow.stream';
const anything = expect.anything();

// Tables are computed only by threads.
const service = useService({ computing: {} });
// biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand.
let document: any;
/** The schemas of the document without further fields. */
let closed: object;
beforeAll(async () => {
  document = (await service.http.inject('/openapi.json')).json();
  closed = JSON.parse(JSON.stringify(document.components), (_, value) =>
    value?.type === 'object' && value.properties !== undefined
      ? { ...value, additionalProperties: false }
      : value,
  );
});

/** A schema that is walked by hand. */
interface Walked {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Walked>>;
  readonly items?: Walked;
  readonly additionalProperties?: unknown;
  readonly patternProperties?: Readonly<Record<string, Walked>>;
  readonly required?: readonly string[];
  readonly $ref?: string;
}

/** A schema and all that it consists of. */
function partsOf(schema: unknown): readonly Walked[] {
  const { properties = {}, items, additionalProperties } = schema as Walked;
  const more = [...Object.values(properties), items, additionalProperties];
  const inner = more.filter((one) => typeof one === 'object' && one !== null);
  return [schema as Walked, ...inner.flatMap(partsOf)];
}

/** The fields of a schema at every depth, and which of them are required. */
function outline(schema: Walked): unknown {
  const name = schema.$ref?.split('/').pop();
  const found: Walked = name === undefined ? schema : document.components.schemas[name];
  if (found.items !== undefined) return [outline(found.items)];
  const fields = Object.entries(found.properties ?? {});
  if (fields.length === 0) return found.type;
  const { required = [] } = found;
  return Object.fromEntries(
    fields.map(([key, field]) => [required.includes(key) ? key : `${key}?`, outline(field)]),
  );
}

/** Returns a check against a named schema. No object may have a field that the schema does not describe. */
function checker(name: string): (value: unknown) => unknown[] {
  const schema = Compile({ components: closed, $ref: `#/components/schemas/${name}` });
  return (value) => (schema.Check(value) ? [] : schema.Errors(value)[1]);
}

describe('GET /openapi.json', () => {
  it('is valid OpenAPI 3.1 by an independent validator', async () => {
    expect(document.openapi).toMatch(/^3\.1/);
    const result = await new Validator().validate(document);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('has every route', () => {
    const paths = [
      ...OPERATIONS.map(({ path }) => path),
      '/',
      '/health',
      '/ready',
      '/v1/products',
    ].sort();
    expect(Object.keys(document.paths).sort()).toEqual(paths);
  });

  it.each(OPERATIONS.map((operation) => [operation.path, operation] as const))(
    'describes POST %s by named schemas',
    (path, operation) => {
      const { post } = document.paths[path];
      const { request, answer } = schemaNames(operation);
      const media = post.requestBody.content['application/json'];
      expect(media.schema).toEqual({ $ref: `#/components/schemas/${request}` });
      expect(media.examples.example.value).toEqual(operation.example);
      expect(post.requestBody.required).toBe(true);
      expect(post.security).toEqual([{ bearer: [] }]);
      const ok = post.responses['200'];
      const inJson = operation.file?.alsoJson !== false;
      if (inJson) {
        expect(ok.content['application/json'].schema).toEqual({
          $ref: `#/components/schemas/${answer}`,
        });
        expect(outline(document.components.schemas[answer])).toEqual(outline(operation.response));
      }
      const rows = operation.rows === undefined ? [] : ['text/csv', ARROW];
      const files = Object.values(operation.file?.types ?? {});
      const types = [...(inJson ? ['application/json'] : []), ...rows, ...files];
      expect(Object.keys(ok.content)).toEqual(types);
      for (const type of files) {
        expect(ok.content[type].schema).toEqual({ type: 'string', format: 'binary' });
      }
      expect(Object.keys(ok.headers)).toContain('RateLimit');
      const described = { ...document.components.schemas[request] };
      expect(outline(described)).toEqual(outline(operation.request));
    },
  );

  it.each(JSON_OPERATIONS.map((operation) => [operation.path, operation] as const))(
    'has for POST %s the answer of the service as the example, and its schemas hold',
    async (path, operation) => {
      const names = schemaNames(operation);
      const request = checker(names.request);
      expect(request(operation.example)).toEqual([]);
      const [field = ''] = Object.keys(operation.example);
      expect(request({ ...operation.example, [field]: null })).not.toEqual([]);

      const { content } = document.paths[path].post.responses['200'];
      const { headers } = await service.customer(1000);
      const { body } = await service.post(path, operation.example, headers);
      expect(content['application/json'].examples.example.value).toEqual(body);
      const answer = checker(names.answer);
      expect(answer(body)).toEqual([]);
      expect(answer({ ...body, unknown: 1 })).not.toEqual([]);
      if (operation.rows === undefined) return;
      const csv = await service.http.inject({
        method: 'POST',
        url: path,
        payload: { ...operation.example, format: 'csv' },
        headers,
      });
      expect(csv.headers['content-type'], csv.body).toMatch(/^text\/csv/);
      expect(content['text/csv'].examples.example.value).toBe(csv.body);
    },
  );

  it('lists the values of names in requests and answers by reference', () => {
    const { schemas } = document.components;
    const { properties } = schemas.DesignRangesAnswer;
    expect(properties.massUnit.$ref).toBe('#/components/schemas/MassUnit');
    // Code generators would make a type without a name from a long list that is not shared.
    for (const [name, schema] of Object.entries(schemas)) {
      const { properties } = schema as { properties?: object };
      for (const [, list = ''] of JSON.stringify(properties ?? {}).matchAll(/"enum":\[(.*?)\]/g)) {
        expect(list.split(',').length, name).toBeLessThan(10);
      }
    }
  });

  it('says what each measurement, country, clothing and posture is', () => {
    const { schemas } = document.components;
    const { Measurement, Country, Posture, Clothing } = schemas;
    expect(Measurement.enum).toEqual(MEASUREMENT_NAMES);
    expect(Measurement['x-enum-descriptions']).toEqual(MEASUREMENTS.map((one) => one.definition));
    expect(Country.enum).toEqual(COUNTRIES.map(({ code }) => code));
    expect(Country['x-enum-descriptions']).toEqual(COUNTRIES.map(({ name }) => name));
    for (const { code, name } of COUNTRIES) {
      expect(Country.description).toContain(`\`${code}\`: ${name}.`);
    }
    for (const { id, definition } of CLOTHING) {
      expect(Clothing.description).toContain(`\`${id}\`: ${definition}`);
    }
    for (const { id, definition } of POSTURES) {
      expect(Posture.description).toContain(`\`${id}\`: ${definition}`);
    }
    expect(Posture.description).toContain('slumped');
  });

  // Code generators would misread two forms. openapi-typescript takes a field with a default as required, and an object
  // without fields as one that must stay empty.
  it('has nothing that generated code would refuse a valid request for', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const field of partsOf(schema)) {
        expect([name, field]).toEqual([name, expect.not.objectContaining({ default: anything })]);
        expect(field).not.toHaveProperty('patternProperties');
        const isEmpty = field.type === 'object' && field.properties === undefined;
        if (isEmpty) expect([name, field.additionalProperties]).toEqual([name, anything]);
        else expect(Object.keys(field.properties ?? { some: 1 })).not.toEqual([]);
      }
    }
    const { unit, clothing } = document.components.schemas.PredictRequest.properties;
    expect(unit.description).toContain('Default: `mm`.');
    expect(clothing.description).toContain('Default: `nude`.');
  });

  it('describes every field of the catalog, with its values', async () => {
    const catalog = (await service.http.inject('/')).json();
    const check = checker('Catalog');
    expect(check(catalog)).toEqual([]);
    expect(check({ ...catalog, added: 1 })).not.toEqual([]);
    expect(check({ ...catalog, defaults: { ...catalog.defaults, unit: 'ft' } })).not.toEqual([]);
    const { example } =
      document.paths['/'].get.responses['200'].content['application/json'].examples;
    expect(check(example.value)).toEqual([]);
    expect(Object.keys(example.value)).toEqual(Object.keys(catalog));
    expect(example.value.measurements).toEqual(catalog.measurements.slice(0, 2));
    expect(example.value.limits).toEqual(catalog.limits);
  });

  it.each(['/health', '/ready'])('has the answer of GET %s as the example', async (path) => {
    const { get } = document.paths[path];
    const { schema, examples } = get.responses['200'].content['application/json'];
    const answer = (await service.http.inject(path)).json();
    expect(examples.example.value).toEqual(answer);
    expect(checker(schema.$ref.split('/').pop())(answer)).toEqual([]);
  });

  it('says which routes need a key', () => {
    // biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand.
    for (const [path, { get }] of Object.entries<any>(document.paths)) {
      if (get === undefined) continue;
      const security = path.startsWith('/v1/') ? [{ bearer: [] }] : [];
      expect([path, get.security]).toEqual([path, security]);
    }
  });

  // The recommended rules of Redocly and Spectral. A valid document can still break them.
  it('has what linters ask for', () => {
    const { info, components, tags } = document;
    expect(info.license).toMatchObject({ name: expect.any(String), identifier: anything });
    expect(URL.canParse(info.contact.url)).toBe(true);
    const ids = new Set<string>();
    const tagged = tags.map(({ name }: { name: string }) => name);
    // biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand.
    for (const [path, methods] of Object.entries<any>(document.paths)) {
      // biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand.
      for (const route of Object.values<any>(methods)) {
        expect([path, route.description]).toEqual([path, expect.stringMatching(/\w/)]);
        expect([path, route.summary]).toEqual([path, expect.stringMatching(/\w/)]);
        expect(ids).not.toContain(route.operationId);
        ids.add(route.operationId);
        for (const tag of route.tags) expect(tagged).toContain(tag);
        const statuses = Object.keys(route.responses);
        expect([path, statuses.some((status) => /^4/.test(status))]).toEqual([path, true]);
        for (const [status, { content }] of Object.entries<{ content: object }>(route.responses)) {
          if (status !== '200') continue;
          for (const [media, { examples }] of Object.entries<{ examples?: object }>(
            content as never,
          )) {
            // Files have no examples, and this artifact has no bodies.
            const isFile = path === body.path || (path === reachEnvelope.path && /csv/.test(media));
            const isShown = /json|text/.test(media) && !isFile;
            if (isShown) expect([path, media, examples]).toEqual([path, media, anything]);
          }
        }
      }
    }
    const text = JSON.stringify(document);
    for (const name of Object.keys(components.schemas)) {
      expect(text).toContain(`"#/components/schemas/${name}"`);
    }
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(Object.keys(components.schemas)).toContain(name);
    }
  });

  it('shows the answers of the artifact in use', async () => {
    const other = new PredictionModel(openArtifact(writeTinyArtifact('other', { scale: 1.1 })));
    let current = service.model;
    const own = await startService({
      operations: [predict],
      model: () =>
        new Proxy(current, {
          get: (_, name) => {
            const value = Reflect.get(current, name, current);
            return typeof value === 'function' ? value.bind(current) : value;
          },
        }),
    });
    const shown = async () => {
      const { paths } = (await own.http.inject('/openapi.json')).json();
      return paths['/v1/predict'].post.responses['200'].content['application/json'].examples.example
        .value.value;
    };
    const before = await shown();
    current = other;
    expect(await shown()).toBeCloseTo(before * 1.1, 0);
    await own.close();
  });

  it.each(['/', '/health'])('documents the limit per address of GET %s', (path) => {
    const limited = document.paths[path].get.responses['429'];
    expect(limited.headers['Retry-After'].schema.type).toBe('integer');
    const { schema } = limited.content['application/problem+json'];
    expect(schema.$ref).toBe('#/components/schemas/Problem');
  });

  it('documents every error code with its status', () => {
    const found = new Map<string, Set<string>>();
    for (const { path } of OPERATIONS) {
      const { responses } = document.paths[path].post;
      // biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand.
      for (const [status, response] of Object.entries<any>(responses)) {
        const content = response.content['application/problem+json'];
        for (const code of Object.keys(content?.examples ?? {})) {
          found.set(code, (found.get(code) ?? new Set()).add(status));
        }
      }
    }
    const heavy = OPERATIONS.some((operation) => operation.computed);
    const foreign = ['method_not_allowed', ...(heavy ? [] : ['replay_expired'])];
    const known = Object.entries(ERRORS).filter(([code]) => !foreign.includes(code));
    for (const [code, { status }] of known) {
      expect([...(found.get(code) ?? [])], code).toContain(String(status));
    }
    expect([...found.keys()].sort()).toEqual(known.map(([code]) => code).sort());
  });
});

describe('the description of the document', () => {
  it('links to the page of every error code', () => {
    for (const code of Object.keys(ERRORS)) {
      expect(document.info.description).toContain(`(/docs#error-${code})`);
    }
  });
});

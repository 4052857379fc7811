import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { MEASUREMENT_NAMES, MEASUREMENTS } from '../../src/core/measurements.js';
import { CLOTHING, POSTURES } from '../../src/core/profiles.js';
import { toolForm } from '../../src/operations/operation.js';
import { callMcp, callTool, rpc } from '../support/mcp.js';
import { TOOL_OPERATIONS } from '../support/operations.js';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';

const NEW = '2026-07-28';

const service = useService();
const customer = useOpened(() => service.customer());

async function ask(method: string, params: Record<string, unknown> = {}) {
  const { body } = await callMcp(service, NEW, rpc(NEW, method, params), customer.headers);
  return body;
}

async function find(filter: Record<string, unknown>) {
  const call = { name: 'get_catalog', arguments: filter };
  const { body } = await callTool(service, NEW, call, customer.headers);
  const { structuredContent, content } = body.result;
  const names = structuredContent.measurements?.map(({ name }: { name: string }) => name);
  return { names, found: structuredContent, text: content[0].text as string };
}

describe('tools', () => {
  it('have the fields of REST, and descriptions with the price', async () => {
    const { tools } = (await ask('tools/list')).result;
    for (const operation of TOOL_OPERATIONS.map(toolForm)) {
      const tool = tools.find(({ name }: { name: string }) => name === operation.name);
      expect(outline(tool.inputSchema)).toEqual(outline(operation.request));
      // The list must stay below 13,000 tokens, so what comes only sometimes is left out of answers.
      const answer: Schema = operation.toolResponse ?? operation.response;
      const { required = [], properties = {} } = answer;
      const told = Object.entries(properties).filter(([name]) => required.includes(name));
      expect(outline(tool.outputSchema)).toEqual({
        required,
        fields: Object.fromEntries(told.map(([name, field]) => [name, outline(always(field))])),
      });
      expect(tool.inputSchema.additionalProperties).toBe(false);
      expect(tool.description).toMatch(
        /Costs (1 credit or free call|\d+ credits or free calls|20 credits on success|nothing|the sum of its answers)/,
      );
      expect(tool.title).toBe(operation.title);
      expect(tool.annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
    }
    const catalog = (await service.http.inject('/')).json();
    const names = tools.map(({ name }: { name: string }) => name);
    // The catalog names no surveys, so it does not list `evidence`, whose answers name them.
    expect(catalog.mcp.tools).toEqual(names.filter((name: string) => name !== 'evidence'));
  });

  interface Schema {
    readonly type?: unknown;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
    readonly required?: readonly string[];
    readonly enum?: readonly unknown[];
  }

  /** A part of an answer without the lists and objects that come only sometimes. */
  function always({ properties = {}, items, required = [] }: Schema): Schema {
    if (items !== undefined) return { items: always(items) };
    const told = Object.entries(properties)
      .filter(([name, field]) => required.includes(name) || !/array|object/.test(`${field.type}`))
      .map(([name, field]) => [name, always(field)]);
    return { properties: Object.fromEntries(told) };
  }

  /** Names and required fields at every depth. Fields that can have only one value are left out. */
  function outline({ properties, items, required }: Schema): unknown {
    if (items !== undefined) return [outline(items)];
    // Objects whose fields no schema can list are JSON texts in tools.
    if (Object.keys(properties ?? {}).length === 0 || properties === undefined) return 'value';
    const fields = Object.entries(properties).filter(([, field]) => field.enum?.length !== 1);
    return {
      required,
      fields: Object.fromEntries(fields.map(([name, field]) => [name, outline(field)])),
    };
  }
});

describe('tools with clothing and posture', () => {
  it('list every profile, and say that nude is the default and sitting a slump', async () => {
    const { tools } = (await ask('tools/list')).result;
    const dressed = tools.filter(
      ({ name, inputSchema }: { name: string; inputSchema: { properties: object } }) =>
        name !== 'get_catalog' && 'posture' in inputSchema.properties,
    );
    expect(dressed).toHaveLength(12);
    for (const { inputSchema } of dressed) {
      const { clothing, posture } = inputSchema.properties;
      expect([clothing.enum, clothing.description]).toEqual([
        CLOTHING.map(({ id }) => id),
        expect.stringMatching(/^Default: nude[.;]/),
      ]);
      expect(posture.enum).toEqual(POSTURES.map(({ id }) => id));
      expect(posture.description).toMatch(/slumped.*mit for sitting dimensions\.$/);
    }
    const { clothing, posture } = dressed[0].inputSchema.properties;
    for (const { id, definition } of [...CLOTHING.slice(1), ...POSTURES.slice(1)]) {
      const text: string = clothing.enum.includes(id) ? clothing.description : posture.description;
      expect(text).toContain(`${id}: `);
      // Each number of millimetres in the text is also in the definition.
      const told = text.slice(text.indexOf(`${id}: `)).split('. ')[0] ?? '';
      for (const mm of told.match(/[+−]\d+/g) ?? []) expect(definition).toContain(mm);
    }
  });

  it('are explained by get_catalog', async () => {
    const explained = [...CLOTHING, ...POSTURES].map(
      ({ id, definition }) => `${id}: ${definition}`,
    );
    const { found } = await find({ text: 'clothing' });
    const other = await find({ text: 'posture' });
    expect([...found.fields[0].values, ...other.found.fields[0].values]).toEqual(explained);
  });
});

describe('lists', () => {
  it.each(['tools/list', 'resources/list', 'resources/templates/list'])(
    '%s is always the same for all clients and can be cached',
    async (method) => {
      const mine = await ask(method);
      const other = await service.customer();
      const theirs = await callMcp(service, NEW, rpc(NEW, method), other.headers);
      expect(theirs.body).toEqual(mine);
      expect(mine.result.ttlMs).toBeGreaterThan(60_000);
      expect(mine.result.cacheScope).toBe('public');
    },
  );
});

describe('get_catalog', () => {
  it('gives groups and counts without arguments, in at most 8 kB', async () => {
    const call = { name: 'get_catalog', arguments: {} };
    const { body } = await callTool(service, NEW, call, customer.headers);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(8000);
    const { groups } = body.result.structuredContent;
    const names = Object.values(groups.measurements).flat();
    expect(names.sort()).toEqual(MEASUREMENTS.map(({ name }) => name).sort());
    const words = new Set(body.result.content[0].text.split(/[\s:]+/));
    expect([...MEASUREMENT_NAMES, 'BodyMass', 'EU27'].filter((name) => !words.has(name))).toEqual(
      [],
    );
    expect(groups.countrySets).toMatchObject({ World: 176, EU27: 27 });
  });

  it.each(
    'a size length width sitting height body hand person reach clothing posture coat wheelchair soldier S world africa'.split(
      ' ',
    ),
  )('answers the vague word %s in at most 400 tokens', async (vague) => {
    const { found, text } = await find({ text: vague });
    expect(countTokens(text)).toBeLessThanOrEqual(400);
    expect(countTokens(JSON.stringify(found))).toBeLessThanOrEqual(400);
  });

  it('says what is left out, and what is not covered', async () => {
    const { found, text } = await find({ text: 'length' });
    const [shown, others] = [found.measurements.length, found.otherMeasurements.length];
    expect(shown + others + found.omitted).toBeGreaterThan(40);
    expect(text).toContain(`${found.omitted} more; use more words.`);
    const missing = await find({ text: 'InterpupillaryDistance' });
    expect([missing.names, missing.found.notCovered[0].need]).toEqual([
      ['Biocular'],
      'the distance between the pupils',
    ]);
    expect(missing.text).toMatch(/^Not covered: the distance between the pupils\. No /);
    expect((await find({ text: 'männlich' })).text).toBe('The field gender: Male');
  });

  it('finds measurements by words of their names and definitions', async () => {
    const seat = await find({ text: 'seat depth' });
    expect(seat.names[0]).toBe('MaximumSeatLength');
    const none = await find({ text: 'zzz' });
    expect([none.names, none.text]).toEqual([[], 'Nothing matches; use fewer or other words.']);
    expect(seat.text).toContain('MaximumSeatLength (depth;');
    expect(seat.found.enums.measurements).toBeUndefined();
  });

  it('finds them by kind and posture, alone and together', async () => {
    const reaches = await find({ kind: 'reach', posture: 'sitting' });
    const expected = MEASUREMENTS.filter(
      ({ kind, postures }) => kind === 'reach' && postures.includes('sitting'),
    );
    expect(reaches.names).toEqual(expected.map(({ name }) => name));
    expect((await find({ text: 'hand', kind: 'breadth' })).names).toEqual(['HandBreadth']);
  });

  it('finds countries by code and name', async () => {
    const oecd = await find({ country: 'oecd' });
    expect([oecd.found.countries, Object.keys(oecd.found.countrySets)]).toEqual([[], ['OECD']]);
    expect(oecd.text).toMatch(/^OECD: AT AU BE /);
    const both = await find({ country: 'japan', text: 'stature' });
    expect([both.found.countries, both.names[0]]).toEqual([
      [{ code: 'JP', name: 'Japan' }],
      'Stature',
    ]);
  });
});

describe('resources', () => {
  it('are the catalog and a sheet for each measurement, page by page', async () => {
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const page = (await ask('resources/list', cursor === undefined ? {} : { cursor })).result;
      uris.push(...page.resources.map(({ uri }: { uri: string }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const sheets = MEASUREMENT_NAMES.map((name) => `vitruvia://measurements/${name}`);
    expect(uris).toEqual(['vitruvia://catalog', ...sheets]);
    for (const bad of ['1', '-50', '5000', 'x', '']) {
      expect((await ask('resources/list', { cursor: bad })).error.code).toBe(-32602);
    }
  });

  it('describe a measurement and how it is taken', async () => {
    for (const { name, definition, postures } of MEASUREMENTS) {
      const { result } = await ask('resources/read', { uri: `vitruvia://measurements/${name}` });
      const [{ text }] = result.contents;
      expect(text).toContain(definition);
      for (const posture of postures) expect(text).toContain(`\`${posture}\``);
      expect(text).toMatch(/^- Measured: \w/m);
    }
    const { result } = await ask('resources/read', { uri: 'vitruvia://catalog' });
    expect(JSON.parse(result.contents[0].text)).toEqual((await service.http.inject('/')).json());
    const unknown = await ask('resources/read', { uri: 'vitruvia://measurements/Statue' });
    expect(unknown.error.code).toBe(-32602);
  });
});

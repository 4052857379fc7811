import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callMcp, rpc } from '../support/mcp.js';
import { type Customer, startService, type TestService } from '../support/service.js';

// A client sends the list of tools to its model with every conversation. The figures in docs/mcp.md are counted with
// the tokenizer o200k_base (gpt-tokenizer).

const FIRST_SIX = [
  'get_catalog',
  'predict',
  'predict_range',
  'predict_compare',
  'percentile_lookup',
  'connected_dimension',
];

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties: object };
}

let service: TestService;
let customer: Customer;
let tools: readonly Tool[];
beforeAll(async () => {
  service = await startService();
  customer = await service.customer();
  const message = rpc('2026-07-28', 'tools/list');
  const { body } = await callMcp(service, '2026-07-28', message, customer.headers);
  tools = body.result.tools;
});
afterAll(() => service.close());

function tokensOf(some: readonly Tool[]): number {
  return countTokens(JSON.stringify({ tools: some }));
}

describe('the list of tools', () => {
  it('takes at most 5,000 tokens for the catalog and the predictions', () => {
    const first = tools.filter(({ name }) => FIRST_SIX.includes(name));
    expect(first.map(({ name }) => name)).toEqual(FIRST_SIX);
    expect(tokensOf(first)).toBeLessThanOrEqual(5000);
  });

  it('takes at most 13,000 tokens in all, output schemas included', () => {
    for (const tool of tools) expect(tool).toHaveProperty('outputSchema.properties');
    expect(tokensOf(tools)).toBeLessThanOrEqual(13_000);
  });

  it('says of each age whether it is exact or in completed years', () => {
    const said = new Map<string, Set<string>>();
    const collect = (tool: string, schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [name, field] of Object.entries(schema)) {
        const isAge = /^age(Min|Max)?$/.test(name) && typeof field === 'object';
        if (isAge) said.set(`${tool} ${name}`, new Set([field.description]));
        collect(tool, field);
      }
    };
    for (const { name, inputSchema } of tools) collect(name, inputSchema);
    expect([...said.keys()]).toEqual(
      expect.arrayContaining(['predict age', 'percentile_lookup age', 'complete_person age']),
    );
    for (const [field, texts] of said) {
      const text = field.endsWith(' age')
        ? 'Exact years; of a child who is 8, say 8.5.'
        : 'Completed years.';
      expect([field, ...texts]).toEqual([field, text]);
    }
  });

  it.each([
    ['population', 'population_percentiles'],
    ['known', 'complete_person'],
    ['seat', 'reach_share'],
  ])('says what the parts of %s mean in %s alone', (field, teller) => {
    const found = new Map<string, { description?: string }>();
    const collect = (tool: string, schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [name, value] of Object.entries(schema)) {
        if (name === field) found.set(tool, value);
        collect(tool, value);
      }
    };
    for (const { name, inputSchema } of tools) collect(name, inputSchema.properties);
    const { [teller]: told, ...others } = Object.fromEntries(found);
    expect(JSON.stringify(told)).toMatch(/"maximum":.*"description":/);
    expect(Object.keys(others)).not.toEqual([]);
    for (const [tool, { description }] of Object.entries(others)) {
      expect([tool, description]).toEqual([tool, `As in ${teller}.`]);
    }
  });

  it('says of each tool what it does not do, and which one does', () => {
    const names = tools.map(({ name }) => name);
    for (const { name, description } of tools) {
      expect([name, description]).toEqual([name, expect.stringMatching(/\b(?:not|no|none|For) /i)]);
      // Each tool that a description names exists.
      const led = (description.match(/\b[a-z]+_[a-z]+\b/g) ?? []).filter((word) =>
        /^(?:predict|population|design|complete|sample|size|boundary|percentile|get)_/.test(word),
      );
      expect([name, led.filter((word) => !names.includes(word))]).toEqual([name, []]);
    }
  });

  it('warns of what would make a design unsafe', () => {
    const text = (name: string) => tools.find((tool) => tool.name === name)?.description;
    expect(text('predict')).toMatch(/Nobody is at the 95th percentile of everything/);
    expect(text('predict_range')).toMatch(/Nobody is at the 95th percentile of everything/);
    expect(text('predict')).toMatch(/clothing to nude/);
    expect(text('connected_dimension')).toMatch(/overstates the range/);
    expect(text('evidence')).toMatch(/not the spread of people/);
    for (const { name, description } of tools) {
      expect([name, description]).toEqual([name, expect.stringMatching(/Costs|Free;/)]);
    }
  });
});

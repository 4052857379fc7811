import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callMcp, rpc } from '../support/mcp.js';
import { type Customer, startService, type TestService } from '../support/service.js';

// A client sends the list of tools to its model with every conversation. The figures of docs/mcp.md
// are those of the tokenizer o200k_base (gpt-tokenizer).

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

  it('takes at most 10,000 tokens in all, output schemas included', () => {
    for (const tool of tools) expect(tool).toHaveProperty('outputSchema.properties');
    expect(tokensOf(tools)).toBeLessThanOrEqual(10_000);
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

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, it } from 'vitest';
import { toolsOf } from '../support/mcp.js';
import { useService } from '../support/use-service.js';

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
  readonly inputSchema: object;
}

interface Field {
  readonly description?: string;
}

const service = useService();
let tools: readonly Tool[];
beforeAll(async () => {
  tools = await toolsOf(service);
});

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

  /** The fields of all requests whose name fits, each with its tool and name. */
  function fieldsOf(pattern: RegExp): [tool: string, name: string, field: Field][] {
    const found: [string, string, Field][] = [];
    const collect = (tool: string, schema: object): void => {
      for (const [name, field] of Object.entries(schema)) {
        if (typeof field !== 'object' || field === null) continue;
        if (pattern.test(name)) found.push([tool, name, field]);
        collect(tool, field);
      }
    };
    for (const { name, inputSchema } of tools) collect(name, inputSchema);
    return found;
  }

  it('says of each age whether it is exact or in completed years', () => {
    const ages = fieldsOf(/^age(Min|Max)?$/);
    expect(ages.map(([tool, name]) => `${tool} ${name}`)).toEqual(
      expect.arrayContaining(['predict age', 'percentile_lookup age', 'complete_person age']),
    );
    for (const [tool, name, { description }] of ages) {
      const exact = 'Exact years; of a child who is 8, say 8.5.';
      const text = name === 'age' ? exact : 'Completed years.';
      expect([tool, name, description]).toEqual([tool, name, text]);
    }
  });

  it.each([
    ['population', 'population_percentiles'],
    ['known', 'complete_person'],
    ['seat', 'reach_share'],
  ])('says what the parts of %s mean in %s alone', (name, teller) => {
    const found = fieldsOf(new RegExp(`^${name}$`));
    expect(found.length).toBeGreaterThan(1);
    for (const [tool, , field] of found) {
      const text = tool === teller ? /"maximum":.*"description":/ : `"As in ${teller}."`;
      expect([tool, JSON.stringify(field)]).toEqual([tool, expect.stringMatching(text)]);
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

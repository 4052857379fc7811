import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArtifact } from '../../../src/lookup/open-artifact.js';
import { PredictionModel } from '../../../src/operations/prediction-model.js';
import { realArtifacts } from '../../support/servers.js';
import { BRIEFS } from './briefs.js';
import { PRODUCT_BRIEFS } from './products.js';
import { catalogToolOf, type Server, solve, type Tool } from './solver.js';

// A scripted solver answers thirty design briefs with nothing but the list of tools and their answers.

const BIN = fileURLToPath(new URL('../../../bin/vitruvia.js', import.meta.url));
const RIGHT_MIN = 29;

let client: Client;
let server: Server;
let artifacts: string;
beforeAll(async () => {
  artifacts = await realArtifacts();
  client = new Client({ name: 'solver', version: '1' });
  const env = { ARTIFACTS_DIR: artifacts };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env }),
  );
  const { tools } = (await client.listTools()) as unknown as { tools: Tool[] };
  server = {
    tools,
    catalogTool: catalogToolOf(tools),
    async call(name, input) {
      const answer = await client.callTool({ name, arguments: { ...input } });
      if (answer.isError) throw new Error(JSON.stringify(answer.content).replaceAll('\\"', '"'));
      return answer.structuredContent;
    },
  };
});
afterAll(() => client?.close());

it('finds the right answers', async () => {
  expect(BRIEFS).toHaveLength(30);
  const model = new PredictionModel(openArtifact(artifacts));
  const wrong: string[] = [];
  for (const { text, right } of BRIEFS) {
    const expected = right(model);
    const found = await solve(server, text).catch((error: Error) => [error.message]);
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      wrong.push(`${text}\n  right: ${expected}\n  found: ${String(found).slice(0, 300)}`);
    }
  }
  console.info(
    `${BRIEFS.length - wrong.length} of ${BRIEFS.length} briefs are right. ${wrong.join('\n')}`,
  );
  expect(BRIEFS.length - wrong.length, wrong.join('\n')).toBeGreaterThanOrEqual(RIGHT_MIN);
});

interface FoundNames {
  readonly measurements?: readonly { readonly name: string }[];
}

describe('briefs from documents of products', () => {
  it('are twelve, with the address of each fact', () => {
    expect(PRODUCT_BRIEFS).toHaveLength(12);
    expect(new Set(PRODUCT_BRIEFS.map(({ text }) => text)).size).toBe(12);
    for (const { fact, source } of PRODUCT_BRIEFS) {
      expect(URL.canParse(source)).toBe(true);
      expect(fact).toMatch(/\d/);
    }
  });

  it.each(PRODUCT_BRIEFS)('are answered in at most three calls: $text', async (brief) => {
    let calls = 0;
    const call = (tool: string, input: object) => {
      calls++;
      return server.call(tool, input);
    };
    const names: string[] = [];
    for (const text of brief.words) {
      const { measurements } = (await call(server.catalogTool, { text })) as FoundNames;
      names.push(measurements?.[0]?.name ?? '');
    }
    const found = brief.read((await call(brief.tool, brief.ask(names))) as never);
    const [least, most] = brief.between;
    expect(found, names.join()).toBeGreaterThanOrEqual(least);
    expect(found, names.join()).toBeLessThanOrEqual(most);
    expect(calls).toBeLessThanOrEqual(3);
  });
});

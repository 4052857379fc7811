import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realArtifacts } from '../support/servers.js';
import { AGENT_BRIEFS } from './agent-briefs.js';

// Design briefs over MCP.

const BIN = fileURLToPath(new URL('../../bin/vitruvia.js', import.meta.url));

let client: Client;
beforeAll(async () => {
  const artifacts = await realArtifacts();
  client = new Client({ name: 'designer', version: '1' });
  const env = { ARTIFACTS_DIR: artifacts };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env }),
  );
});
afterAll(() => client?.close());

async function call(name: string, input: object): Promise<unknown> {
  const answer = await client.callTool({ name, arguments: { ...input } });
  expect(answer.isError, JSON.stringify(answer.content)).not.toBe(true);
  return answer.structuredContent;
}

describe('briefs as rows', () => {
  it.each(AGENT_BRIEFS)('$text', async ({ tool, input, path, answer }) => {
    const found = path
      .split('.')
      .reduce<unknown>(
        (at, name) => (at as Record<string, unknown>)[name],
        await call(tool, input),
      );
    if (Array.isArray(answer)) {
      expect(found).toBeGreaterThanOrEqual(answer[0]);
      expect(found).toBeLessThanOrEqual(answer[1]);
    } else
      expect(found).toEqual(
        typeof answer === 'string' ? answer : expect.stringMatching(answer as RegExp),
      );
  });
});

it.each([
  [{ Stature: 178 }, 'Did you mean 178 cm? Give 1780 (mm).'],
  [{ Stature: 1.78 }, 'Did you mean 1.78 m? Give 1780 (mm).'],
])('a body of %j asks which unit was meant', async (measurements, question) => {
  const person = { gender: 'Female', age: 30, measurements };
  const refusal = await client.callTool({ name: 'body', arguments: { person } });
  expect(refusal.isError).toBe(true);
  expect(JSON.stringify(refusal.content)).toContain(question);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.js';
import { collect } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { stdioCommand } from '../support/mcp.js';
import { TOOL_OPERATIONS } from '../support/operations.js';
import { realArtifacts, realModel } from '../support/servers.js';
import { until } from '../support/until.js';
import { useOpened } from '../support/use-opened.js';
import { AGENT_BRIEFS } from './agent-briefs.js';

// `npx vitruvia mcp` as clients start it: a process that uses stdin and stdout.

/** Number of files that the program may load before its first answer. Reading and compiling each file takes time. */
const FILES_LOADED_MAX = 220;

const command = stdioCommand(await realArtifacts());
const client = useOpened(async () => {
  const made = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await made.connect(new StdioClientTransport(command));
  return made;
});

const HELLO = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    ...{ protocolVersion: '2025-06-18', capabilities: {} },
    clientInfo: { name: 'test', version: '1' },
  },
};

/** Starts the program without a client. */
function start(more: Record<string, string> = {}) {
  const { command: program, args, env } = command;
  const child = spawn(program, args, { env: { ...process.env, ...env, ...more } });
  return { child, output: collect(child) };
}

describe('the server on standard input and output', () => {
  it('speaks the newest revision, and older ones with older clients', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const older = new OlderClient({ name: 'test', version: '1' });
    await older.connect(new OlderTransport(command));
    const { tools } = await older.listTools();
    expect(tools).toHaveLength(TOOL_OPERATIONS.length + 1);
    const call = { name: 'predict', arguments: OPERATIONS[0]?.example ?? {} };
    expect((await older.callTool(call)).isError ?? false).toBe(false);
    await older.close();
  });

  it('names no price', async () => {
    const { tools } = await client.listTools();
    for (const text of [JSON.stringify(tools), client.getInstructions()]) {
      expect(text).toBeTruthy();
      expect(/credit|Costs|billed|rate limit/.exec(text ?? '')).toBeNull();
    }
  });

  const few = TOOL_OPERATIONS.filter(({ name }) => ['predict', 'population_share'].includes(name));
  it.each(few.map((operation) => [operation.name, operation] as const))(
    '%s answers as the operation itself',
    async (name, operation) => {
      const { example } = operation;
      const answer = await client.callTool({ name, arguments: { ...example } });
      expect(answer.isError ?? false).toBe(false);
      const whole = JSON.parse(JSON.stringify(operation.run(example as never, await realModel())));
      expect(answer.structuredContent).toEqual(operation.toolAnswer?.(whole as never) ?? whole);
    },
  );

  it('refuses with the reason, and a long answer with what to ask for', async () => {
    const wrong = await client.callTool({
      name: 'predict',
      arguments: { measurement: 'Statue', gender: 'Female', age: 30, percentile: 50 },
    });
    expect(wrong.isError).toBe(true);
    expect(JSON.stringify(wrong.content)).toContain('Did you mean Stature?');
    const population = { groups: [{ countries: ['DE'], ageMin: 20, ageMax: 60 }] };
    const long = await client.callTool({
      name: 'sample_people',
      arguments: { population, count: 50 },
    });
    expect(JSON.stringify(long.content)).toContain('at most 25000 bytes: count may ask for about');
  });

  it('has the resources', async () => {
    const uri = 'vitruvia://measurements/Stature';
    expect(JSON.stringify(await client.readResource({ uri }))).toContain('floor to top of head');
  });

  it('says in one line each which messages it cannot read, and goes on', async () => {
    const { child, output } = start();
    const messages = ['{"a":1}', 'null', '5', '[]', '{"jsonrpc":"2.0","id":{},"method":5}'];
    child.stdin.write([...messages, 'no JSON', JSON.stringify(HELLO), ''].join('\n'));
    await until(() => output.stdout.includes('"protocolVersion"'));
    child.stdin.end();
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    const said = output.stderr.trimEnd().split('\n');
    expect(said).toHaveLength(messages.length);
    const line = 'A message on standard input was not read: it is no message of JSON-RPC 2.0';
    expect(new Set(said)).toEqual(new Set([line]));
  });

  it('loads few files until its first answer, so that an agent does not wait', async () => {
    const coverage = newFolder('loaded');
    const { child, output } = start({ NODE_V8_COVERAGE: coverage });
    const call = { name: 'predict', arguments: OPERATIONS[0]?.example };
    const messages = [
      HELLO,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
    ];
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    await until(() => output.stdout.includes('"structuredContent"'));
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    const loaded = readdirSync(coverage)
      .flatMap((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')).result)
      .map(({ url }: { url: string }) => url)
      .filter((url) => url.startsWith('file:'));
    expect(loaded.length).toBeGreaterThan(50);
    expect(loaded.length).toBeLessThanOrEqual(FILES_LOADED_MAX);
    // Modules that only a service needs.
    const heavy = loaded.filter((url) =>
      /\/node_modules\/(?:@?fastify|ioredis|pg|bullmq|stripe|kysely)\//.test(url),
    );
    expect(heavy).toEqual([]);
  });

  it('ends with its client', async () => {
    const brief = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport(command);
    await brief.connect(transport);
    const { pid } = transport;
    expect(pid).toBeGreaterThan(0);
    await brief.close();
    await expect
      .poll(() => {
        try {
          process.kill(pid as number, 0);
          return 'runs';
        } catch {
          return 'ended';
        }
      })
      .toBe('ended');
  });
});

/** The answer to a design brief. */
async function call(name: string, input: object): Promise<unknown> {
  const answer = await client.callTool({ name, arguments: { ...input } });
  expect(answer.isError, JSON.stringify(answer.content)).not.toBe(true);
  return answer.structuredContent;
}

describe('design briefs', () => {
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

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unpackExtension } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { newFolder } from '../support/folders.js';
import { JSON_OPERATIONS } from '../support/operations.js';
import { realArtifacts } from '../support/servers.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const run = promisify(execFile);

// Compressing the whole artifact takes a minute.
const artifacts = process.env.MODE === 'all' ? realArtifacts : writeTinyArtifact;

let folder: string;
beforeAll(async () => {
  folder = newFolder('mcpb');
  const env = { ...process.env, ARTIFACTS_DIR: await artifacts() };
  await run(process.execPath, ['tools/build-mcpb.js', folder], { cwd: projectDir(), env });
  const [mcpbPath] = readdirSync(folder).filter((name) => name.endsWith('.mcpb'));
  const outputDir = join(folder, 'unpacked');
  await unpackExtension({ mcpbPath: join(folder, mcpbPath ?? ''), outputDir, silent: true });
});

it('answers offline from its own artifact, as its manifest starts it', async () => {
  const unpacked = join(folder, 'unpacked');
  const manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
  const { args, env } = manifest.server.mcp_config;
  const inFolder = (text: string) => text.replace(/\$\{__dirname\}/, unpacked);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: args.map(inFolder),
      env: { ARTIFACTS_DIR: inFolder(env.ARTIFACTS_DIR) },
      cwd: unpacked,
    }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    manifest.tools.map(({ name }: { name: string }) => name),
  );
  for (const { name, example } of JSON_OPERATIONS) {
    // A tool gives at most 5 whole people.
    const input = name === 'boundary_cases' ? { ...example, count: 4 } : example;
    const answer = await client.callTool({ name, arguments: { ...input } });
    expect([name, answer.isError ?? false]).toEqual([name, false]);
  }
  await client.close();
});

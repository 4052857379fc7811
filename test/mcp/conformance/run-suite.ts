import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectDir } from '../../../src/core/project-dir.js';
import { newFolder } from '../../support/folders.js';
import { startService } from '../../support/service.js';

/** Result of a run of the suite. */
interface SuiteResult {
  readonly exitCode: number;
  readonly output: string;
}

/**
 * Runs the official conformance suite against a new service.
 *
 * @param options options of the suite's `server` command, without the address
 */
export async function runSuite(options: readonly string[]): Promise<SuiteResult> {
  const service = await startService();
  try {
    const { headers } = await service.customer(1000);
    return await throughProxy(await service.address(), headers, options);
  } finally {
    await service.close();
  }
}

/** The suite cannot send a key, so a local proxy adds one and forwards everything else unchanged. */
async function throughProxy(
  address: string,
  headers: Readonly<Record<string, string>>,
  options: readonly string[],
): Promise<SuiteResult> {
  const proxy = createServer((request, response) => {
    const { method, url } = request;
    const passed = { ...request.headers, ...headers };
    const onward = forward(new URL(url ?? '/', address), { method, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  try {
    return await run([...options, '--url', `http://127.0.0.1:${port}/mcp`]);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
}

function run(options: readonly string[]): Promise<SuiteResult> {
  const hooks = fileURLToPath(new URL('./register.mjs', import.meta.url));
  const suite = join(projectDir(), 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const results = newFolder('conformance');
  const args = ['--import', hooks, suite, 'server', ...options, '-o', results];
  // The suite ends before its output is written, so a long output must go to a file or it would be cut.
  const file = join(results, 'output.txt');
  const output = openSync(file, 'w');
  const limits = { cwd: results, timeout: 240_000 };
  const child = spawn(process.execPath, args, { ...limits, stdio: ['ignore', output, output] });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      closeSync(output);
      resolve({ exitCode: code ?? -1, output: readFileSync(file, 'utf8') });
    });
  });
}

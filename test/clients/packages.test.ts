import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { writeBodyArtifact } from '../support/body.js';
import { newFolder } from '../support/folders.js';
import { findProgram } from '../support/programs.js';
import { havePython, PYTHON } from '../support/python.js';
import { isWholeRun, itInWholeRun } from '../support/whole-run.js';
import { buildClient, TYPESCRIPT } from './built-client.js';
import { startFaultyService } from './faulty-service.js';
import { readmeCode } from './readme-code.js';
import { runProgram } from './run-program.js';

const ROOT = projectDir();
const PYTHON_CLIENT = join(ROOT, 'clients/python');

/** Packages that the client needs. */
const NEEDED = ['openapi-fetch', 'openapi-typescript-helpers', 'apache-arrow'];

const faulty = await startFaultyService(await writeBodyArtifact());
afterAll(() => faulty.close());

/** Creates a customer with credits. Returns it with the environment for a program. */
async function customerOf(credits: number) {
  const customer = await faulty.service.customer(credits);
  const env = { VITRUVIA_URL: faulty.behind(), VITRUVIA_API_KEY: customer.apiKey };
  return { customer, env };
}

describe('the package of the TypeScript client', () => {
  let folder: string;
  beforeAll(async () => {
    folder = newFolder('client');
    // The whole run packs as a release does, which builds the client.
    if (!isWholeRun) buildClient();
    const scripts = isWholeRun ? [] : ['--ignore-scripts'];
    const words = ['pack', '--pack-destination', folder, '--json', ...scripts];
    const printed = execFileSync('npm', words, { cwd: TYPESCRIPT, stdio: 'pipe' }).toString();
    const { version } = JSON.parse(readFileSync(join(TYPESCRIPT, 'package.json'), 'utf8'));
    expect(printed).toContain('dist/index.d.ts');
    const installed = join(folder, 'node_modules/@vitruvia/client');
    mkdirSync(installed, { recursive: true });
    await extract({
      file: join(folder, `vitruvia-client-${version}.tgz`),
      cwd: installed,
      strip: 1,
    });
    mkdirSync(join(folder, 'node_modules/@gltf-transform'));
    for (const name of [...NEEDED, '@gltf-transform/core']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
  });

  itInWholeRun('fills 10,000 predictions with its example', async () => {
    const { customer, env } = await customerOf(10_000);
    const example = join(folder, 'node_modules/@vitruvia/client/examples/table.mjs');
    const { code, text } = await runProgram(process.execPath, [example], { cwd: folder, env });
    expect(code, text).toBe(0);
    expect(text).toContain('10000 predictions, 0 combinations left out');
    expect(await customer.balance()).toBe(0);
  });

  it('runs the code of its README', async () => {
    const { env } = await customerOf(10_000);
    const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
    const source = readmeCode(TYPESCRIPT, 'ts', env, 300);
    writeFileSync(
      join(folder, 'readme.mjs'),
      transpileModule(source, { compilerOptions }).outputText,
    );
    const { code, text } = await runProgram(process.execPath, ['readme.mjs'], { cwd: folder });
    expect(code, text).toBe(0);
    expect(text).toContain('NA ');
    expect(text).toContain('400 validation_error');
  });

  itInWholeRun('opens a body with the example seated-woman.mjs', async () => {
    const { customer, env } = await customerOf(20);
    copyFileSync(join(ROOT, 'examples/seated-woman.mjs'), join(folder, 'seated-woman.mjs'));
    const { code, text } = await runProgram(process.execPath, ['seated-woman.mjs'], {
      cwd: folder,
      env,
    });
    expect(code, text).toBe(0);
    const [, , tall] = /takes (\d+) mm across, (\d+) mm in height/.exec(text) ?? [];
    const [, asked, achieved] = /height: ([\d.]+) mm asked, ([\d.]+) mm/.exec(text) ?? [];
    expect(Math.abs(Number(asked) - Number(achieved))).toBeLessThan(5);
    // The vertex of the head is the highest point of the mesh.
    expect(text).toContain(`vertex: ${tall} mm above the floor`);
    expect(text).toMatch(/mesh has \d{2,} bones/);
    expect(await customer.balance()).toBe(0);
  });
});

describe.skipIf(!havePython)('the package of the Python client', () => {
  const [python] = PYTHON.map(findProgram);
  const run = (words: readonly string[], env: Record<string, string>) =>
    runProgram(python ?? '', words, { cwd: PYTHON_CLIENT, env });

  itInWholeRun('fills a DataFrame of 10,000 predictions with its example', async () => {
    const { customer, env } = await customerOf(10_000);
    const { code, text } = await run(['examples/table.py'], env);
    expect(code, text).toBe(0);
    expect(text).toContain('10000 predictions, 0 combinations left out');
    expect(await customer.balance()).toBe(0);
  });

  it('runs the Python code of docs/clients.md', async () => {
    const { customer, env } = await customerOf(10_000);
    const text = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
    const blocks = [...text.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code);
    expect(blocks.length).toBeGreaterThan(0);
    // The names come from the README of the client.
    const readme = readmeCode(PYTHON_CLIENT, 'python', env, 300);
    const client = readme.slice(0, readme.indexOf('answer ='));
    const entries = readme.slice(readme.indexOf('request ='), readme.indexOf('for result'));
    const file = join(newFolder('client'), 'docs.py');
    writeFileSync(file, [client, entries, ...blocks, ...blocks].join('\n'));
    const { code, text: printed } = await run([file], env);
    expect(code, printed).toBe(0);
    // Twice under one key: three predictions are charged once.
    expect(await customer.balance()).toBe(10_000 - 3);
  });
});

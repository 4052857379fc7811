import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { writeBodyArtifact } from '../support/body.js';
import { freshEnv } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { mcpHeaders, rpc } from '../support/mcp.js';
import { postJson } from '../support/post-json.js';
import { findProgram } from '../support/programs.js';
import { havePython, PYTHON } from '../support/python.js';
import { type FaultyService, startFaultyService } from './faulty-service.js';
import { readmeCode } from './readme-code.js';
import { runProgram } from './run-program.js';

// Does what a reader does: installs the files of a release into an empty folder, and runs the code of the READMEs
// there, with each version of Node and with the Python of Debian. The files of the clients are made from a fresh clone.

const ROOT = projectDir();
const REVISION = '2026-07-28';
/** Versions of Node besides the one that runs the tests. They come from npm, as packages of Node's own releases. */
const OTHER_NODES = ['24.21.0', '26.10.0'];
const folders: string[] = [];
const emptyFolder = () => {
  const folder = newFolder('empty');
  folders.push(folder);
  return folder;
};
const run = (program: string, words: readonly string[], cwd: string) =>
  execFileSync(program, words, { cwd, stdio: 'pipe' }).toString();
const npmInstall = (cwd: string, ...what: string[]) =>
  run('npm', ['install', '--no-audit', '--no-fund', ...what], cwd);

/** Packs a package as a release does. Returns the path of the file. */
function pack(from: string, ...options: string[]): string {
  const to = emptyFolder();
  run('npm', ['pack', '--pack-destination', to, ...options, from], ROOT);
  return join(to, readdirSync(to).find((name) => name.endsWith('.tgz')) ?? '');
}

const clone = emptyFolder();
const CLIENTS = {
  typescript: join(clone, 'clients/typescript'),
  python: join(clone, 'clients/python'),
};
let nodes: string;
let artifacts: string;
let faulty: FaultyService;
beforeAll(async () => {
  nodes = emptyFolder();
  run('git', ['clone', '--quiet', ROOT, '.'], clone);
  run('npm', ['ci', '--no-audit', '--no-fund'], clone);
  artifacts = await writeBodyArtifact();
  faulty = await startFaultyService(artifacts);
  const { platform, arch } = process;
  const packages = OTHER_NODES.map((v) => `node-${v}@npm:node-${platform}-${arch}@${v}`);
  npmInstall(nodes, '--ignore-scripts', ...packages);
});
afterAll(async () => {
  await faulty?.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const NODES = [process.versions.node, ...OTHER_NODES];
const programOf = (version: string) =>
  version === process.versions.node
    ? process.execPath
    : join(nodes, 'node_modules', `node-${version}`, 'bin', 'node');

async function customer() {
  const { apiKey } = await faulty.service.customer(10_000);
  return { VITRUVIA_URL: faulty.behind(), VITRUVIA_API_KEY: apiKey };
}

describe('the file of the TypeScript client', () => {
  let folder: string;
  beforeAll(() => {
    folder = emptyFolder();
    npmInstall(folder, pack(CLIENTS.typescript), 'apache-arrow@21.2.0');
  });

  it.each(NODES)('runs the code of its README with Node %s', async (version) => {
    const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
    const code = readmeCode(CLIENTS.typescript, 'ts', await customer(), 300);
    writeFileSync(
      join(folder, 'readme.mjs'),
      transpileModule(code, { compilerOptions }).outputText,
    );
    const { code: exit, text } = await runProgram(programOf(version), ['readme.mjs'], {
      cwd: folder,
    });
    expect(exit, text).toBe(0);
    expect(text).toContain('NA ');
    expect(text).toContain('400 validation_error');
  });
});

describe('a fresh clone', () => {
  it('has the generated files after `npm ci`, and git ignores them', () => {
    const ignored = run(
      'git',
      ['ls-files', '--others', '--ignored', '--exclude-standard', 'clients'],
      clone,
    );
    expect(ignored).toContain('clients/typescript/src/generated/api.ts');
    expect(ignored).toContain('clients/python/vitruvia/_generated.py');
    expect(run('git', ['status', '--porcelain'], clone)).toBe('');
    run('npm', ['run', 'check:types'], clone);
  });

  it('installs as the TypeScript client, after `npm ci` has built it', async () => {
    const folder = emptyFolder();
    npmInstall(folder, CLIENTS.typescript);
    const code = readmeCode(CLIENTS.typescript, 'ts', await customer(), 300);
    const first = code.slice(0, code.indexOf('const { rows'));
    writeFileSync(join(folder, 'first.mjs'), `${first}\nconsole.log(value, unit);`);
    const { code: exit, text } = await runProgram(process.execPath, ['first.mjs'], { cwd: folder });
    expect(exit, text).toBe(0);
    expect(text).toMatch(/^[\d.]+ mm/);
  });
});

describe.skipIf(!havePython)('the file of the Python client', () => {
  it('is not made without the generated files', () => {
    const folder = emptyFolder();
    run('git', ['clone', '--quiet', ROOT, '.'], folder);
    const [python = ''] = PYTHON.map(findProgram);
    run(python, ['-m', 'venv', 'env'], folder);
    const words = ['wheel', '--quiet', '--no-deps', '--wheel-dir', folder, './clients/python'];
    expect(() => run(join(folder, 'env/bin/pip'), words, folder)).toThrow(
      /Forced include not found/,
    );
  });

  it('runs the code of its README with the Python of Debian', async () => {
    const folder = emptyFolder();
    const [python = ''] = PYTHON.map(findProgram);
    run(python, ['-m', 'venv', '--system-site-packages', 'env'], folder);
    const pip = join(folder, 'env/bin/pip');
    run(pip, ['wheel', '--quiet', '--no-deps', '--wheel-dir', folder, CLIENTS.python], folder);
    const [wheel = ''] = readdirSync(folder).filter((name) => name.endsWith('.whl'));
    // Nothing else is downloaded: Debian's httpx and pandas meet the requirements of the file.
    run(pip, ['install', '--quiet', '--no-index', `./${wheel}[pandas]`], folder);
    // Debian has no pyarrow.
    const code = readmeCode(CLIENTS.python, 'python', await customer(), 300).replace(
      /^for batch in .*arrow.*\n.*\n/m,
      '',
    );
    writeFileSync(join(folder, 'readme.py'), code);
    const ended = await runProgram(join(folder, 'env/bin/python'), ['readme.py'], { cwd: folder });
    expect(ended.code, ended.text).toBe(0);
    expect(ended.text).toContain('NA ');
    expect(ended.text).toContain('400 validation_error');
    expect(readFileSync(join(folder, 'woman.glb')).subarray(0, 4).toString()).toBe('glTF');
  });
});

describe('the file of the service', () => {
  let folder: string;
  let program: string;
  beforeAll(() => {
    folder = emptyFolder();
    // The tests have already built the package.
    npmInstall(folder, pack(ROOT, '--ignore-scripts'));
    program = join(folder, 'node_modules/vitruvia/bin/vitruvia.js');
    cpSync(join(folder, 'node_modules/vitruvia/examples/people.csv'), join(folder, 'people.csv'));
  });

  it('is started by npx', () => {
    const help = run('npx', ['vitruvia', '--help'], folder);
    expect(help).toMatch(/^Usage: npx vitruvia/m);
    // The package contains the pipeline and its survey tables.
    expect(run('npx', ['vitruvia', 'pipeline', '--help'], folder)).toContain('--without');
    expect(readdirSync(join(folder, 'node_modules/vitruvia/data/raw')).length).toBeGreaterThan(20);
  });

  it.each(OTHER_NODES)('has native packages that work with Node %s', (version) => {
    const natives = join(ROOT, 'test/clients/native-packages.js');
    expect(JSON.parse(run(programOf(version), [natives], ROOT))).toMatchObject({
      version: `v${version}`,
      ...{ rows: [[42]], sqlite: { answer: 42 }, length: 13 },
      password: expect.stringMatching(/^\$argon2id\$/),
    });
  });

  it.each(NODES)(
    'predicts, completes a table, serves and charges with Node %s',
    async (version) => {
      const env = freshEnv({ ARTIFACTS_DIR: artifacts, PORT: '0' });
      const vitruvia = (...words: string[]) =>
        runProgram(programOf(version), [program, ...words], { cwd: folder, env });
      const asked = '--measurement Stature --gender Female --age 30 --percentile 95 --country NL';
      const predicted = await vitruvia('predict', ...asked.split(' '));
      expect(predicted.text).toMatch(/^value +\d/m);
      const filled = await vitruvia('fill', 'people.csv', '--output', `${version}.csv`);
      expect([0, 3], filled.text).toContain(filled.code);
      expect(readFileSync(join(folder, `${version}.csv`), 'utf8').split('\n')).toHaveLength(7);

      const service = spawn(programOf(version), [program, 'serve', '--json'], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const ended = once(service, 'exit');
      try {
        const [line] = await Promise.race([once(createInterface(service.stdout), 'line'), ended]);
        const { address, key } = JSON.parse(String(line));
        const body = { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50 };
        const answer = await postJson(`${address}/v1/predict`, key, body);
        expect(await answer.json()).toMatchObject({ unit: 'mm', remaining_free_calls: 9 });
        const message = rpc(REVISION, 'tools/call', { name: 'predict', arguments: body });
        const called = await postJson(
          `${address}/mcp`,
          key,
          message,
          mcpHeaders(REVISION, message),
        );
        expect(await called.json()).toMatchObject({
          result: { structuredContent: { remaining_free_calls: 8 } },
        });
        for (const page of [
          '/',
          '/ready',
          '/docs',
          '/docs/reference',
          '/explore',
          '/openapi.json',
        ]) {
          const shown = await fetch(`${address}${page}`);
          await shown.arrayBuffer();
          expect([page, shown.status]).toEqual([page, 200]);
        }
      } finally {
        service.kill('SIGTERM');
      }
      expect(await ended).toEqual([0, null]);
    },
  );
});

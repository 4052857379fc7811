import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { Compile } from 'typebox/compile';
import { transpileModule } from 'typescript';
import { describe, expect, it } from 'vitest';
import { readStudyMap } from '../../pipeline/study/study-map.js';
import { buildProgram } from '../../src/cli/program.js';
import { projectDir } from '../../src/core/project-dir.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { populationShare } from '../../src/operations/population-share.js';
import { validateRequest } from '../../src/operations/validate.js';
import { segmentTables, withTable } from '../../tools/compare-segments.js';
import { allBlocks, commandLines, wordsOf } from '../../tools/document-blocks.js';
import { CUT, cutAs } from '../../tools/run-documents.js';
import { findProgram } from '../support/programs.js';
import { havePython, PYTHON } from '../support/python.js';
import { realArtifacts } from '../support/servers.js';

const BLOCKS = allBlocks();
const { scripts } = JSON.parse(readFileSync(join(projectDir(), 'package.json'), 'utf8'));
const of = (language: string) => BLOCKS.filter((block) => block.language === language);

/** Languages of blocks that a test proves. Blocks of other languages are pictures or output. */
const PROVEN = ['json', 'js', 'python', 'sh', 'text', 'ts'];
const SHOWN = ['csv', 'mermaid'];

/** Programs of others; their words are not checked. */
const OTHERS = new Set(
  '/usr/bin/python3 python3 apt-get cat cp docker docker-compose env/bin/pip env/bin/python export git kill openssl pip printf soffice unzip'.split(
    ' ',
  ),
);

/** Programs of the pipeline, which parse their own options. */
const SCRIPTS: Readonly<Record<string, string>> = {
  pipeline: 'pipeline/command.ts',
  import: 'pipeline/import/main.ts',
  study: 'pipeline/study/main.ts',
  evaluate: 'pipeline/evaluate.ts',
  'release:artifacts': 'pipeline/release/main.ts',
};

/** Checks the options of a script by its source. */
function checkScript(name: string, words: readonly string[]): void {
  const file = SCRIPTS[name];
  const source = file === undefined ? '' : readFileSync(join(projectDir(), file), 'utf8');
  for (const flag of words.filter((word) => word.startsWith('--') && word !== '--')) {
    const known = source.includes(flag) || source.includes(`${flag.slice(2)}: {`);
    expect(known, `${name} ${flag}`).toBe(true);
  }
}

/** Checks the words after `npx vitruvia`. */
async function checkCommand(words: readonly string[]): Promise<void> {
  const [name = ''] = words;
  if (name in SCRIPTS) return checkScript(name, words);
  let command: Command = await buildProgram(words, true);
  let rest = [...words];
  while (command.commands.length > 0) {
    const found = command.commands.find((one) => one.name() === rest[0]);
    if (found === undefined) {
      expect(
        rest.filter((word) => word !== '--help'),
        `a command of ${command.name()}`,
      ).toEqual([]);
      return;
    }
    command = found;
    rest = rest.slice(1);
  }
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  expect(command.parseOptions(rest).unknown.filter((word) => word !== '--help')).toEqual([]);
}

/** Checks that the body of a call is a valid request to the operation at its address. */
function checkCurl(words: readonly string[]): void {
  const address = words.find((word) => /^(https?:\/\/)?[\w.]+:\d+\//.test(word)) ?? '';
  const path = address.replace(/^.*?:\d+/, '');
  const operation = OPERATIONS.find((one) => one.path === path);
  if (operation === undefined) {
    expect(['/health', '/ready', '/metrics', '/openapi.json', '/v1/']).toContain(path);
    return;
  }
  const body = words[words.indexOf('-d') + 1] ?? '';
  expect(() => validateRequest(operation, JSON.parse(body)), address).not.toThrow();
}

async function check(words: readonly string[]): Promise<void> {
  const [program = '', ...rest] = words;
  if (OTHERS.has(program)) return;
  if (program === 'curl') return checkCurl(rest);
  if (program === 'npx' && rest[0] === 'vitruvia') return await checkCommand(rest.slice(1));
  if (program === 'npx') return expect(rest[0]).toBe('openapi-typescript');
  if (program === 'node') {
    const example = /^node_modules\/@vitruvia\/client\/(examples\/.*)$/.exec(rest[0] ?? '')?.[1];
    if (example !== undefined) {
      return expect(readdirSync(join(projectDir(), 'clients/typescript/examples'))).toContain(
        basename(example),
      );
    }
    expect(rest[0]).toMatch(/^bin\/vitruvia\.js$/);
    return await checkCommand(rest.slice(1));
  }
  if (program === 'npm') {
    const name = rest[0] === 'run' ? (rest[1] ?? '') : (rest[0] ?? '');
    if (!['ci', 'init', 'install', 'pack'].includes(name)) {
      expect(Object.keys(scripts)).toContain(name);
      checkScript(name, rest.slice(2));
    }
    return;
  }
  expect.fail(`${program} is not known`);
}

describe('the code of the documents', () => {
  it('is in a language that is proven or only shown', () => {
    const others = BLOCKS.filter(({ language }) => ![...PROVEN, ...SHOWN].includes(language));
    expect(others.map(({ place, language }) => `${place} ${language}`)).toEqual([]);
    const words = BLOCKS.flatMap(commandLines).flatMap((line) => wordsOf(line) ?? []);
    expect(words.length).toBeGreaterThan(60);
  });

  const withCommands = BLOCKS.filter((block) => commandLines(block).length > 0);
  it.each(withCommands)('$place has commands, options and requests that exist', async (block) => {
    expect(PROVEN).toContain(block.language);
    for (const line of commandLines(block)) {
      for (const words of wordsOf(line) ?? []) await check(words);
    }
  });

  it.each(of('json'))('$place is the JSON that it says it is', ({ file, text }) => {
    const json = JSON.parse(text);
    if ('mcpServers' in json) expect(Object.keys(json.mcpServers)).toEqual(['vitruvia']);
    else if ('groups' in json) {
      const limits = [{ measurement: 'Stature', max: 1900 }];
      expect(() => validateRequest(populationShare, { population: json, limits })).not.toThrow();
    } else if ('samples' in json) expect(readStudyMap(text, file).samples).toHaveLength(2);
    else {
      const answered = OPERATIONS.filter(({ response }) => Compile(response).Check(json));
      expect(answered.map(({ name }) => name)).not.toEqual([]);
    }
  });

  it.each([...of('ts'), ...of('js')])('$place is TypeScript', ({ text }) => {
    const { diagnostics } = transpileModule(text, { reportDiagnostics: true });
    expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([]);
  });

  it.skipIf(!havePython)('is Python where it says so', () => {
    const python = PYTHON.map(findProgram)[0] ?? '';
    const code = of('python').map(({ place, text }) => [place, text]);
    const script =
      'import ast, json, sys\nfor place, text in json.load(sys.stdin): ast.parse(text, place)';
    const run = () =>
      execFileSync(python, ['-c', script], { input: JSON.stringify(code), stdio: 'pipe' });
    expect(code.length).toBeGreaterThan(5);
    expect(run).not.toThrow();
  });

  it('says where output is cut', () => {
    // A key is not shown, and `:…@` is a password.
    const cut = new Set(
      BLOCKS.filter(({ text }) => text.replace(/vt_\w+_…|:…@/g, '').includes(CUT)).map(
        ({ file }) => file,
      ),
    );
    expect([...cut]).toContain('docs/spreadsheets.md');
    for (const file of cut) {
      const text = readFileSync(join(projectDir(), file), 'utf8').replace(/\s+/g, ' ');
      expect([file, text]).toEqual([
        file,
        expect.stringContaining('`…` stands for what is left out'),
      ]);
    }
  });

  it('is cut where it was cut', () => {
    const printed =
      'people  12\nshare   0.5\nnote    x\nname  min  max\nknee  1    25\nfoot  3    4\n';
    const shown = 'people  10\n…\nname  min …\nknee  1   …\n…';
    expect(cutAs(shown, printed)).toBe('people  12\n…\nname  min …\nknee  1   …\n…');
  });

  it('reads commands as a shell does', () => {
    expect(wordsOf(`A=1 b 'c d' "e"f \\\n --g > out | h; i <KEY> # j`)).toEqual([
      ['b', 'c d', 'ef', '--g'],
      ['h'],
      ['i', '<KEY>'],
    ]);
    expect(wordsOf('a "b')).toBeUndefined();
    expect(wordsOf('a \\')).toBeUndefined();
  });
});

it('docs/body.md compares the segments of today with published ones', async () => {
  const document = readFileSync(new URL('../../docs/body.md', import.meta.url), 'utf8');
  const table = segmentTables(await realArtifacts());
  expect(document).toContain(table);
  expect(withTable(document, table)).toBe(document);
});

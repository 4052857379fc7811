import { cpSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { allBlocks, commandLines, wordsOf } from '../../tools/document-blocks.js';
import { runProgram } from '../clients/run-program.js';
import { writeBodyArtifact } from '../support/body.js';
import { freshEnv, run } from '../support/cli.js';
import { findProgram } from '../support/programs.js';
import { havePython, PYTHON } from '../support/python.js';

// Runs the commands and the Python code of the documents that need nothing but artifacts. The artifacts have invented
// people, so some values in the documents fit none of them.

const folder = mkdtempSync(join(tmpdir(), 'vitruvia-documents-'));
const artifacts = writeBodyArtifact();
const RUN: readonly string[] = [...OPERATIONS.map(({ command }) => command.name), 'table', 'fill'];
/** Refusals that the documents show, or that occur because the people are invented. */
const REFUSED = /value_implausible|value_out_of_range|computation_too_large|rows_not_completed/;

const commands = allBlocks().flatMap((block) =>
  commandLines(block).flatMap((line) =>
    (wordsOf(line) ?? [])
      .filter(([program, , name = '']) => program === 'npx' && RUN.includes(name))
      .map((words) => ({ place: block.place, words: words.slice(2) })),
  ),
);

/** Runs a command in the folder of this test. */
const runHere = async (words: readonly string[]) =>
  run(words, freshEnv({ ARTIFACTS_DIR: await artifacts }), ['env', '-C', folder]);

describe('the commands of the documents', () => {
  cpSync(join(projectDir(), 'examples'), join(folder, 'examples'), { recursive: true });
  cpSync(join(projectDir(), 'examples/people.csv'), join(folder, 'people.csv'));

  it.each(commands.filter(({ words }) => !words.includes('--service')))(
    '$place $words.0 answers',
    async ({ words }) => {
      const all = words.map((word) => (word === '$ALL' ? 'Stature,SittingHeight' : word));
      const isJson = !all.some((word) => ['--format', '--output', 'table'].includes(word));
      const { code, stdout, stderr } = await runHere(isJson ? [...all, '--json'] : all);
      if (code === 0) return expect(stdout.length + stderr.length).toBeGreaterThan(0);
      expect(stdout + stderr).toMatch(isJson ? REFUSED : /a value that no person/);
    },
  );
});

describe.skipIf(!havePython)('the Python of the documents', () => {
  it('about tables runs in pandas and pyarrow', async () => {
    const drawn = 'people --count 200 --seed 7 --countries DE,NA'.split(' ');
    const csv = await runHere([...drawn, '--format', 'csv']);
    expect(csv.code, csv.stderr).toBe(0);
    writeFileSync(join(folder, 'people.csv'), csv.stdout);
    cpSync(join(projectDir(), 'examples/people.csv'), join(folder, 'some.csv'));
    await runHere(['fill', 'some.csv', '--wanted', 'none', '--output', 'filled.csv']);
    expect(existsSync(join(folder, 'filled.csv'))).toBe(true);
    const python = PYTHON.map(findProgram)[0] ?? '';
    const blocks = allBlocks().filter(
      ({ file, language, text }) =>
        language === 'python' && file.startsWith('docs/') && text.includes('read_csv'),
    );
    expect(blocks.map(({ file }) => file)).toEqual(['docs/populations.md', 'docs/spreadsheets.md']);
    const code = ['import pandas as pd', ...blocks.map(({ text }) => text), 'print(len(people))'];
    const ended = await runProgram(python, ['-c', code.join('\n')], { cwd: folder });
    expect(ended.code, ended.text).toBe(0);
    expect(ended.text.trim()).toBe('5');
  });
});

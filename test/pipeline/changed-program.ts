import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { ROOT } from '../support/build.js';

/** Exit code of a build, and its output on stderr. */
interface ChangedBuild {
  readonly code: number | null;
  readonly text: string;
}

/**
 * Copies the program for the tests of a file.
 *
 * @returns a function that builds with one changed source file and then restores the file
 */
export function useChangedProgram(): (file: string, from: string, to: string) => ChangedBuild {
  const clone = mkdtempSync(join(tmpdir(), 'vitruvia-incomplete-'));
  beforeAll(() => {
    for (const name of ['src', 'pipeline', 'package.json', 'tsconfig.json']) {
      cpSync(join(ROOT, name), join(clone, name), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  });
  afterAll(() => rmSync(clone, { recursive: true, force: true }));
  return (file, from, to) => {
    const path = join(clone, file);
    const before = readFileSync(path, 'utf8');
    if (!before.includes(from)) throw new Error(`${file} does not contain: ${from}`);
    writeFileSync(path, before.replace(from, to));
    const words = ['--import', 'tsx', 'pipeline/main.ts', '--raw', join(ROOT, 'data/raw')];
    const folders = ['--artifacts', join(clone, 'artifacts')];
    const options = { encoding: 'utf8', cwd: clone } as const;
    const done = spawnSync(process.execPath, [...words, ...folders], options);
    writeFileSync(path, before);
    return { code: done.status, text: done.stderr };
  };
}

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { typedAs } from '../core/typed-command.js';

/** The programs of the pipeline. `src` does not import them, because they load DuckDB. */
const SCRIPTS = { pipeline: 'main', import: 'import/main', study: 'study/main' } as const;

/** A program of the pipeline. */
export type ScriptName = keyof typeof SCRIPTS;

/**
 * Runs a program of the pipeline in its own process, on the same terminal.
 *
 * @param stdout target of its standard output: standard output (1, default) or standard error (2)
 * @returns its exit code; 128 plus the signal's number if a signal ended it
 */
export function runScript(
  name: ScriptName,
  words: readonly string[],
  stdout: 1 | 2 = 1,
): Promise<number> {
  // A program that runs from sources starts the sources; a build starts the build.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const script = fileURLToPath(
    new URL(`../../pipeline/${SCRIPTS[name]}.${extension}`, import.meta.url),
  );
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, script, ...words], {
      stdio: ['inherit', stdout, 2],
      env: typedAs(`npx vitruvia ${name}`),
    });
    // Ctrl-C on a terminal reaches the child directly; a signal sent to this process does not.
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    process.on('SIGTERM', pass).on('SIGINT', pass);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', pass).off('SIGINT', pass);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** The text of `help pipeline`; the program itself handles all other words. */
export function pipelineCommand(command: Command): void {
  command.addHelpText('after', '\nnpx vitruvia pipeline --help lists its options.');
}

/** The text of `help import`; the program itself handles all other words. */
export function importCommand(command: Command): void {
  command.addHelpText('after', '\nnpx vitruvia import --help lists the surveys and options.');
}

/** The text of `help study`; the program itself handles all other words. */
export function studyCommand(command: Command): void {
  command.addHelpText('after', '\nnpx vitruvia study --help lists its commands.');
}

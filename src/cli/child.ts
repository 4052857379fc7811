import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

/** The pipeline's programs. `src` does not import them: they load DuckDB, the service never does. */
const SCRIPTS = { pipeline: 'main', import: 'import/main' } as const;

/** A program of the pipeline. */
export type ScriptName = keyof typeof SCRIPTS;

/**
 * Runs a program of the pipeline in a process of its own, on this one's terminal.
 *
 * @param stdout where its standard output goes: this process' (1, default) or its stderr (2)
 * @returns its exit code; 128 and the signal's number when a signal ended it
 */
export function runScript(
  name: ScriptName,
  words: readonly string[],
  stdout: 1 | 2 = 1,
): Promise<number> {
  // Beside this file's own tree, so that source runs source and a build runs the build.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const script = fileURLToPath(
    new URL(`../../pipeline/${SCRIPTS[name]}.${extension}`, import.meta.url),
  );
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, script, ...words], {
      stdio: ['inherit', stdout, 2],
    });
    // A terminal's Ctrl-C reaches the child by itself; a signal sent to this process does not.
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    process.on('SIGTERM', pass).on('SIGINT', pass);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', pass).off('SIGINT', pass);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** `help pipeline`; the program itself answers everything else. */
export function pipelineCommand(command: Command): void {
  command.addHelpText('after', '\nnpx vitruvia pipeline --help lists its options.');
}

/** `help import`; the program itself answers everything else. */
export function importCommand(command: Command): void {
  command.addHelpText('after', '\nnpx vitruvia import --help lists the surveys and options.');
}

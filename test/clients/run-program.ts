import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How a program is run. */
export interface ProgramOptions {
  readonly cwd: string;
  /** Added to the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end. Returns the printed text. Python finds modules in the folder. */
export async function runProgram(
  file: string,
  words: readonly string[],
  { cwd, env }: ProgramOptions,
): Promise<{ readonly code: number; readonly text: string }> {
  const python = { PYTHONPATH: cwd, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(file, words, {
    cwd,
    env: { ...process.env, ...python, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => output.push(String(text)));
  }
  const [code] = await once(child, 'close');
  return { code: Number(code), text: output.join('') };
}

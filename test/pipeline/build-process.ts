import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programWords, ROOT } from '../support/build.js';

/** Result of a finished build. */
export interface BuildOutcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Largest resident size, in bytes; 0 on systems that do not show it. */
  readonly peakBytes: number;
}

/** Largest resident size of a process so far, read from /proc. */
function peakBytesOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Runs a Node program to its end.
 *
 * @param program path of its source without the extension
 */
export async function runBuild(program: string, options: readonly string[]): Promise<BuildOutcome> {
  const child = spawn(process.execPath, [...programWords(program), ...options], { cwd: ROOT });
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakBytesOf(child.pid ?? 0));
  }, 100);
  try {
    const [stdout, stderr, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code, signal, stdout, stderr, peakBytes };
  } finally {
    clearInterval(timer);
  }
}

/** `npm run pipeline` into `artifactsDir`. */
export const buildAll = (artifactsDir: string, options: readonly string[] = []) =>
  runBuild('pipeline/main', ['--artifacts', artifactsDir, ...options]);

/** Builds only the numbers of `COMPUTED`, in less than half the time. */
export const buildSome = (artifactsDir: string, options: readonly string[] = []) =>
  runBuild('test/pipeline/build-child', ['--artifacts', artifactsDir, ...options]);

/** SHA-256 of every file of a version, except the stamp, which contains times. */
export function checksums(artifactsDir: string, version: string): Record<string, string> {
  const folder = join(artifactsDir, version);
  const names = readdirSync(folder).filter((name) => name !== 'verified.json');
  return Object.fromEntries(
    names.sort().map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, name)));
      return [name, hash.digest('hex')];
    }),
  );
}

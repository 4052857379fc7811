import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/** What a finished build printed and cost. */
export interface BuildOutcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** Largest resident size seen, in bytes; 0 where the system does not tell. */
  readonly peakBytes: number;
}

/** A build under way in a process of its own. */
export interface Build {
  readonly child: ChildProcess;
  readonly outcome: Promise<BuildOutcome>;
}

/** Largest resident size of a process so far, from Linux' own count. */
function peakBytesOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Starts `npm run pipeline` into `artifactsDir`. */
export function startBuild(artifactsDir: string, options: readonly string[] = []): Build {
  const started = performance.now();
  const script = ['--import', 'tsx', 'pipeline/main.ts', '--artifacts', artifactsDir, '--json'];
  const child = spawn(process.execPath, [...script, ...options], { cwd: projectDir });
  let [stdout, stderr, peakBytes] = ['', '', 0];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakBytesOf(child.pid ?? 0));
  }, 100);
  const outcome = new Promise<BuildOutcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(timer);
      const seconds = (performance.now() - started) / 1000;
      resolve({ code, signal, stdout, stderr, seconds, peakBytes });
    });
  });
  return { child, outcome };
}

/** Kills the build once it has begun to write; resolves when it is gone. */
export async function killWhileWriting(build: Build, artifactsDir: string): Promise<BuildOutcome> {
  const writing = () => readdirSync(artifactsDir).some((name) => name.startsWith('.building-'));
  const timer = setInterval(() => {
    if (writing()) build.child.kill('SIGKILL');
  }, 5);
  try {
    return await build.outcome;
  } finally {
    clearInterval(timer);
  }
}

/** SHA-256 of every file of a version but the stamp, which holds times. */
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

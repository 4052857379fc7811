import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programWords } from '../support/build.js';

const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/** Output and cost of a finished build. */
export interface BuildOutcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Processor time, which other processes hardly change; 0 on systems that do not show it. */
  readonly cpuSeconds: number;
  /** Largest resident size seen, in bytes; 0 on systems that do not show it. */
  readonly peakBytes: number;
}

/** A running build in a separate process. */
export interface Build {
  readonly child: ChildProcess;
  readonly outcome: Promise<BuildOutcome>;
}

/** Kernel clock ticks per second in /proc, on every Linux that Node runs on. */
const TICKS_A_SECOND = 100;

/** Largest resident size and processor time of a process so far, from /proc. */
function costOf(pid: number): { peakBytes: number; cpuSeconds: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const peakBytes = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
    // utime and stime are fields 14 and 15; the name, field 2, may contain spaces in its brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
    return { peakBytes, cpuSeconds };
  } catch {
    return { peakBytes: 0, cpuSeconds: 0 };
  }
}

/** Starts `npm run pipeline` into `artifactsDir`. */
export function startBuild(artifactsDir: string, options: readonly string[] = []): Build {
  const words = [...programWords('pipeline/main'), '--artifacts', artifactsDir];
  const child = spawn(process.execPath, [...words, ...options], { cwd: projectDir });
  let [stdout, stderr] = ['', ''];
  let cost = { peakBytes: 0, cpuSeconds: 0 };
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const timer = setInterval(() => {
    const now = costOf(child.pid ?? 0);
    if (now.cpuSeconds > 0) cost = now;
  }, 100);
  const outcome = new Promise<BuildOutcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(timer);
      resolve({ code, signal, stdout, stderr, ...cost });
    });
  });
  return { child, outcome };
}

/** Kills the build once it has begun to write; resolves when the process has ended. */
export async function killWhileWriting(build: Build, artifactsDir: string): Promise<BuildOutcome> {
  const writing = () =>
    existsSync(artifactsDir) &&
    readdirSync(artifactsDir).some((name) => name.startsWith('.building-'));
  const timer = setInterval(() => {
    if (writing()) build.child.kill('SIGKILL');
  }, 5);
  try {
    return await build.outcome;
  } finally {
    clearInterval(timer);
  }
}

/** SHA-256 of every file of a version except the stamp, which contains times. */
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

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { runCommandLine } from '../../src/cli/command-line.js';
import { programWords } from './build.js';
import { newSqliteUrl } from './folders.js';
import { writeTinyArtifact } from './tiny-artifact.js';

/** Result of a finished command. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output, parsed as one JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape.
  readonly json: any;
}

/** Environment of a command under test: a new database, and defaults for the rest. */
export interface CliEnv {
  readonly DATABASE_URL: string;
  readonly [name: string]: string;
}

const PROGRAM = programWords('src/cli');
const SETTINGS =
  /^(HOST|PORT|DATABASE_URL|REDIS_URL|ARTIFACT|SERVICE_ENV|RATE_LIMIT|METRICS|LOG_LEVEL|TRUST|PUBLIC_URL|SMTP|MAIL_FROM)/;

/** A new place for a database. */
export function freshEnv(more: Record<string, string> = {}): CliEnv {
  return { DATABASE_URL: newSqliteUrl(), ...more };
}

/**
 * Starts a command.
 *
 * @param under a program with arguments that starts the command, such as `prlimit --fsize=4096`
 */
export function start(
  words: readonly string[],
  env: CliEnv,
  under: readonly string[] = [],
): ChildProcess {
  const [file = '', ...more] = [...under, process.execPath, ...PROGRAM, ...words];
  return spawn(file, more, { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
}

function environment(env: CliEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !SETTINGS.test(name));
  return { ...Object.fromEntries(inherited), ...env };
}

/** Commands that need a process: servers, programs of the pipeline, and copies, which need closed files. */
const PROCESSES = ['serve', 'worker', 'mcp', 'pipeline', 'import', 'study', 'backup', 'restore'];

/** Runs a command to its end. Most commands run in this process, one after the other: a process costs half a second. */
export function run(
  words: string | readonly string[],
  env: CliEnv = freshEnv(),
  under: readonly string[] = [],
): Promise<Finished> {
  const list = listOf(words);
  if (under.length > 0 || PROCESSES.includes(list[0] ?? '')) return runProcess(list, env, under);
  const ended = before.then(() => runHere(list, env));
  before = ended.catch(() => undefined);
  return ended;
}

/** The command that runs in this process. */
let before: Promise<unknown> = Promise.resolve();

async function runHere(words: readonly string[], env: CliEnv): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  const inherited = process.env;
  const streams = (['stdout', 'stderr'] as const).map((name) => {
    const own = Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor;
    const write = (chunk: unknown, _: unknown, done: () => void) => {
      output[name] += String(chunk);
      done();
    };
    Object.defineProperty(process, name, { ...own, get: () => stream });
    const stream = new Writable({ write });
    return [name, own] as const;
  });
  process.env = environment(env);
  try {
    return finished(await runCommandLine(words), output);
  } finally {
    process.env = inherited;
    for (const [name, own] of streams) Object.defineProperty(process, name, own);
  }
}

const listOf = (words: string | readonly string[]) =>
  typeof words === 'string' ? words.split(' ') : words;

/** Runs a command in a process of its own. */
export async function runProcess(
  words: string | readonly string[],
  env: CliEnv = freshEnv(),
  under: readonly string[] = [],
): Promise<Finished> {
  const child = start(listOf(words), env, under);
  const output = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return finished(code, output);
}

function finished(code: number | null, output: { stdout: string; stderr: string }): Finished {
  const { stdout, stderr } = output;
  return {
    code,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout);
    },
  };
}

/** A server under test. */
export interface Served {
  readonly child: ChildProcess;
  /** Grows with what the server prints. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Resolves to the exit code and signal when the command has ended. */
  readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>;
  /** Ends the command with a signal. Resolves to its exit code and signal. */
  stop(signal?: NodeJS.Signals): Promise<readonly [number | null, NodeJS.Signals | null]>;
}

/** Runs a command. Resolves when it has printed that it listens. */
export async function listen(
  words: readonly string[],
  env: CliEnv,
  under: readonly string[] = [],
): Promise<Served> {
  const child = start(words, env, under);
  const output = collect(child);
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  while (!output.stdout.endsWith('\n')) {
    const gone = child.exitCode !== null || child.signalCode !== null;
    if (gone) throw new Error(`${words[0]} ended: ${output.stdout}${output.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return {
    child,
    output,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs `serve` on a free port. Resolves when it has printed that it listens. */
export const serve = (env: CliEnv, words: readonly string[] = [], under: readonly string[] = []) =>
  listen(['serve', ...words], { PORT: '0', ...env }, under);

/** Output of a command. It grows while the command runs. */
export function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += String(chunk);
  });
  return output;
}

/** A server with the addresses that it printed. */
export interface ServedAt extends Served {
  readonly address: string;
  readonly metricsAddress: string;
}

/** Runs `serve --json`. */
export async function serveAt(
  env: CliEnv,
  words: readonly string[] = [],
  under?: readonly string[],
) {
  const served = await serve(env, ['--json', ...words], under);
  return { ...served, ...JSON.parse(served.output.stdout) } as ServedAt;
}

/** Settings of a service in this process, with a new database and the tiny artifact. */
export function settingsHere(more: Record<string, string> = {}): CliEnv {
  return freshEnv({
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'fatal',
    ARTIFACTS_DIR: writeTinyArtifact(),
    PICTURES_MIB_MAX: '0',
    ...more,
  });
}

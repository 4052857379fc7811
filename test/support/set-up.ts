import { chmodSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { artifactsOfSources } from './artifacts-of-sources.js';
import { CHROMIUM, startBrowserServer } from './browser.js';
import { newFolder, removeFolder } from './folders.js';
import { POSTGRES, startPostgres } from './postgres-server.js';
import { ensurePrograms, type Program, remedyFor } from './programs.js';
import { PYTHON } from './python.js';
import { REDIS } from './redis-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Names of missing programs. */
    missingPrograms: string[];
    /** Unix socket that answers with the URL of a new database on the PostgreSQL of the run. */
    postgresSocket: string;
    /** Unix socket that answers with a folder of artifacts built from `data/raw`. */
    artifactsSocket: string;
    /** Unix socket that answers with the address of the browser of the run. */
    browserSocket: string;
  }
}

/** The programs that tests run, and which tests. */
const PROGRAMS: readonly { readonly program: Program; readonly tests: string }[] = [
  { program: REDIS, tests: 'many nodes' },
  { program: POSTGRES, tests: 'many nodes' },
  { program: CHROMIUM, tests: 'pages in a browser' },
  ...PYTHON.map((program) => ({ program, tests: 'the Python client' })),
];

/** A folder in memory, where PostgreSQL creates a database in a third of the time. */
const IN_MEMORY = '/dev/shm';
/** A run writes about 2 GB. */
const IN_MEMORY_BYTES_MIN = 8e9;

/** Creates the folder of a run. All temporary files of its processes are in it, and are removed with it. */
function runFolder(): string {
  const free = () => {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize;
  };
  const isInMemory = process.platform === 'linux' && free() >= IN_MEMORY_BYTES_MIN;
  if (isInMemory) process.env.TMPDIR = IN_MEMORY;
  const folder = newFolder('run');
  // PostgreSQL runs as another user, and its folder is below.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return folder;
}

/**
 * Prepares what a test run shares: the programs, which are installed if possible, one PostgreSQL, one set of artifacts
 * and one browser. The last three start or are built when a test first asks for them.
 *
 * @returns a function that ends all of them
 * @throws Error if CI is true and a program is missing
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = ensurePrograms(PROGRAMS.map(({ program }) => program));
  if (missing.length > 0) complain(missing);
  project.provide(
    'missingPrograms',
    missing.map(({ name }) => name),
  );
  const folder = runFolder();
  /** Answers every connection to a Unix socket about a thing that starts or is built when a test first asks for it. */
  const offer = async <Thing>(
    name: 'postgresSocket' | 'artifactsSocket' | 'browserSocket',
    start: () => Promise<Thing>,
    answer: (thing: Thing) => string | Promise<string>,
    end: (thing: Thing) => unknown,
  ): Promise<() => Promise<void>> => {
    let thing: Promise<Thing> | undefined;
    const server = createServer((connection) => {
      connection.on('error', () => undefined);
      thing ??= start();
      thing.then(answer).then(
        (text) => connection.end(text),
        (error: Error) => {
          console.error(error.message);
          connection.destroy();
        },
      );
    });
    const socket = join(folder, name);
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    project.provide(name, socket);
    return async () => {
      server.close();
      const started = await thing?.catch(() => undefined);
      if (started !== undefined) await end(started);
    };
  };
  const ends = [
    await offer(
      'postgresSocket',
      // The databases end with the run, so they need not survive a loss of power.
      () => startPostgres({ fsync: 'off' }),
      (postgres) => postgres.newDatabase(),
      (postgres) => postgres.stop(),
    ),
    await offer(
      'artifactsSocket',
      artifactsOfSources,
      (path) => path,
      () => undefined,
    ),
    await offer(
      'browserSocket',
      startBrowserServer,
      (browser) => browser.wsEndpoint(),
      (browser) => browser.close(),
    ),
  ];
  return async () => {
    await Promise.all(ends.map((end) => end()));
    removeFolder(folder);
  };
}

function complain(missing: readonly Program[]): void {
  const tests = PROGRAMS.filter(({ program }) => missing.includes(program)).map((one) => one.tests);
  const message = `${remedyFor(missing)}. Tests left out: ${[...new Set(tests)].join(', ')}.`;
  if (process.env.CI === 'true') throw new Error(message);
  console.error(`\n!!! ${message}\n`);
}

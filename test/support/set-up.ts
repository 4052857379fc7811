import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { CHROMIUM } from './browser.js';
import { POSTGRES, type PostgresServer, startPostgres } from './postgres-server.js';
import { ensurePrograms, type Program, remedyFor } from './programs.js';
import { PYTHON } from './python.js';
import { REDIS } from './redis-server.js';
import { removeFolder, serverFolder } from './server-process.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Names of missing programs. */
    missingPrograms: string[];
    /** Unix socket that answers with the URL of a new database on the run's PostgreSQL. */
    postgresSocket: string;
  }
}

/** The programs that tests run, and which tests. */
const PROGRAMS: readonly { readonly program: Program; readonly tests: string }[] = [
  { program: REDIS, tests: 'many nodes' },
  { program: POSTGRES, tests: 'many nodes' },
  { program: CHROMIUM, tests: 'pages in a browser' },
  ...PYTHON.map((program) => ({ program, tests: 'the Python client' })),
];

/**
 * Prepares what a test run shares: the programs, which are installed if possible, and one PostgreSQL.
 *
 * @returns a function that ends it
 * @throws Error if CI is true and a program is missing
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = ensurePrograms(PROGRAMS.map(({ program }) => program));
  if (missing.length > 0) complain(missing);
  project.provide(
    'missingPrograms',
    missing.map(({ name }) => name),
  );
  const folder = serverFolder('run');
  const socket = join(folder, 'postgres.sock');
  project.provide('postgresSocket', socket);
  let postgres: Promise<PostgresServer> | undefined;
  // Most runs of a few files do not need it: it starts when a test first asks for a database.
  const desk = createServer((connection) => {
    postgres ??= startPostgres();
    postgres
      .then((server) => server.newDatabase())
      .then(
        (url) => connection.end(url),
        (error: Error) => {
          console.error(error.message);
          connection.destroy();
        },
      );
    connection.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => desk.listen(socket, resolve));
  return async () => {
    desk.close();
    await (await postgres?.catch(() => undefined))?.stop();
    removeFolder(folder);
  };
}

function complain(missing: readonly Program[]): void {
  const tests = PROGRAMS.filter(({ program }) => missing.includes(program)).map((one) => one.tests);
  const message = `${remedyFor(missing)}. Tests left out: ${[...new Set(tests)].join(', ')}.`;
  if (process.env.CI === 'true') throw new Error(message);
  console.error(`\n!!! ${message}\n`);
}

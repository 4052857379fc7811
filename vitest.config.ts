import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { builtModule, isBuildFresh, MORE_ROOM } from './test/support/build.js';
import { DearestFiles } from './test/support/dearest-files.js';

/**
 * The files that take longest. They start first, in this order, so that no worker is left alone with one at the end.
 * The first one asks for the artifacts, which a process of its own builds. Others that need them come later.
 */
const LONG = [
  'pages/tasks/tasks-browser.test.ts',
  'pages/screens-browser.test.ts',
  'keyless/largest-work.test.ts',
  'request/pool.test.ts',
  'pipeline/study/persons.test.ts',
  'pages/reach-browser.test.ts',
  'reach/reach.test.ts',
  'clients/examples.test.ts',
  'api/switch.test.ts',
  'api/heavy-gates.test.ts',
  'pages/fit-browser.test.ts',
  'cli/serve.test.ts',
  'clients/python.test.ts',
  'clients/typescript.test.ts',
  'clients/packages.test.ts',
  'pages/screens/all-screens.test.ts',
  'api/bodies.test.ts',
  'cli/backup.test.ts',
  'pipeline/fitted-model.test.ts',
  'pages/user-browser.test.ts',
  'mcp/heavy-tools.test.ts',
  'pages/docs.test.ts',
  'api/unread.test.ts',
  'billing/embedded/sqlite-gate.test.ts',
  'body-files/files.test.ts',
  'billing/redis/redis-gate.test.ts',
  'api/openapi.test.ts',
  'pages/body-browser.test.ts',
  'artifacts/install.test.ts',
  'keyless/page-thread.test.ts',
  'mcp/offline.test.ts',
  'pages/dimension-browser.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((name) => moduleId.endsWith(name));
      if (found >= 0) return found;
      return moduleId.endsWith('.long.test.ts') ? -1 : LONG.length;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * Tests import the compiled modules in place of the sources, as long as the build is newer. Vitest then
 * transforms only the tests, and the threads and processes that the modules start are compiled too.
 */
const COMPILED: Plugin = {
  name: 'compiled-modules',
  enforce: 'pre',
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith('.')) return;
    const built = builtModule(resolve(dirname(importer), id));
    return built === undefined ? undefined : { id: built, external: true };
  },
};

// In watch mode the sources change all the time.
const isCompiled = process.argv.includes('run') && isBuildFresh();

/** Tests of `npm run test:all` alone: repetition, many seeds, long outages, clusters. */
const REPETITION = 'test/**/*.long.test.ts';

export default defineConfig(({ mode }) => ({
  plugins: isCompiled ? [COMPILED] : [],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    server: { deps: { external: [/\/dist\/(src|pipeline|test)\//] } },
    include: ['test/**/*.test.ts'],
    exclude: mode === 'all' ? [] : [REPETITION],
    globalSetup: ['test/support/set-up.ts'],
    setupFiles: ['test/support/processor-time.ts'],
    reporters: ['default', new DearestFiles()],
    // A test that asserts nothing is a test that cannot fail.
    expect: {
      requireAssertions: true,
      poll: { timeout: 180_000 },
    },
    // Services that tests start make no pictures before somebody asks.
    env: { PICTURES_MIB_MAX: '0' },
    pool: 'forks',
    // The files that a worker runs share its modules: loading them again for each file took three minutes.
    isolate: false,
    execArgv: [MORE_ROOM],
    // More than two processors: some tests wait for timers and other processes.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Only a fault exceeds these limits, also on a machine that is ten times slower. Hooks wait for the artifacts.
    testTimeout: 600_000,
    hookTimeout: 900_000,
    // A worker that ends closes its browser, its services and its threads, one after the other.
    teardownTimeout: 60_000,
  },
}));

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes. They start first, so that no worker is left alone with one at the end. */
const LONG = ['pipeline/evaluate/report.test.ts', 'pipeline/build.test.ts'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/set-up.ts'],
    // A test that asserts nothing is a test that cannot fail.
    expect: { requireAssertions: true },
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Only a fault exceeds these limits: a machine with much other work needs five times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
});

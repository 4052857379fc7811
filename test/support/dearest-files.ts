import type { Reporter, TestModule } from 'vitest/node';

/** Number of files that the reporter names. */
const NAMED = 10;

/**
 * Prints the test files that used most processor time, and the sum of all. The browser and the PostgreSQL that all
 * files share belong to no file.
 */
export class DearestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({
      name: module.relativeModuleId,
      seconds: module.meta().processorSeconds ?? 0,
    }));
    files.sort((one, other) => other.seconds - one.seconds);
    const sum = files.reduce((all, { seconds }) => all + seconds, 0);
    console.log(`\nProcessor time of the tests: ${sum.toFixed(0)} s. The dearest files:`);
    for (const { name, seconds } of files.slice(0, NAMED)) {
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
    }
  }
}

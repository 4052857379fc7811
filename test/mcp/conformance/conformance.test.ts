import { describe, expect, it } from 'vitest';
import { suite } from './service-suite.js';

const REVISION = '2026-07-28';

// `conformance.long.test.ts` runs the older revision, and the scenarios on the service itself.
describe('the official conformance suite, on the newest revision', () => {
  it('passes all that it requires, on a fixture server behind the hooks of the service', async () => {
    const { exitCode, output } = await suite(true, ['--requirements', REVISION]);
    expect(output).toContain(`Not scored for ${REVISION}`);
    expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
  });

  it('passes on the stateless service, except where it needs tools of the fixture', async () => {
    const options = ['--scenario', 'server-stateless', '--spec-version', REVISION];
    const { output } = await suite(false, [...options, '--verbose']);
    const checks = JSON.parse(output.slice(output.indexOf('\n[') + 1, output.indexOf('\n]') + 2));
    expect(checks.length).toBeGreaterThan(25);
    const failed = checks.filter(({ status }: { status: string }) =>
      ['FAILURE', 'WARNING'].includes(status),
    );
    for (const { errorMessage } of failed) {
      expect(errorMessage).toMatch(/^Not testable: server does not list the diagnostic tool/);
    }
  });
});

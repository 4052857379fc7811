import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runSuite } from './run-suite.js';

const NEWEST = '2026-07-28';
const REVISIONS = process.env.MODE === 'all' ? [NEWEST, '2025-11-25'] : [NEWEST];

describe('the official conformance suite', () => {
  it.each(REVISIONS)(
    'passes each scenario of revision %s that the service has',
    async (revision) => {
      const baseline = new URL(`./not-of-the-service-${revision}.yaml`, import.meta.url);
      const { exitCode, output } = await runSuite([
        ...['--suite', 'all', '--spec-version', revision],
        ...['--expected-failures', fileURLToPath(baseline)],
      ]);
      for (const passed of ['tools-list', 'resources-list', 'dns-rebinding-protection']) {
        expect(output).toContain(`✓ ${passed}: `);
      }
      expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
    },
  );

  it('passes the checks of a stateless service, except those of diagnostic tools', async () => {
    const options = ['--scenario', 'server-stateless', '--spec-version', NEWEST];
    const { output } = await runSuite([...options, '--verbose']);
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

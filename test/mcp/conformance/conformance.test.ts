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
      // The list of expected failures names the single checks that these two scenarios fail.
      if (revision === NEWEST) {
        expect(output).toContain('server-stateless: 24 passed, 4 failed');
        expect(output).toContain('caching: 7 passed, 1 failed');
      }
      expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
    },
  );
});

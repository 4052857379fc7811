import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { suite } from './service-suite.js';

describe.each(['2026-07-28', '2025-11-25'])(
  'the official conformance suite, on revision %s',
  (revision) => {
    it('passes all that it requires, on a fixture server behind the hooks of the service', async () => {
      const { exitCode, output } = await suite(true, ['--requirements', revision]);
      expect(output).toContain(`Not scored for ${revision}`);
      expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
    });

    it('passes every scenario that needs no fixtures, on the service itself', async () => {
      const baseline = new URL(`./needs-fixtures-${revision}.yaml`, import.meta.url);
      const { exitCode, output } = await suite(false, [
        ...['--suite', 'all', '--spec-version', revision],
        ...['--expected-failures', fileURLToPath(baseline)],
      ]);
      for (const passed of ['tools-list', 'resources-list', 'dns-rebinding-protection']) {
        expect(output).toContain(`✓ ${passed}: `);
      }
      expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
    });
  },
);

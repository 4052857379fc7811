import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { createFixtureEndpoint } from '../fixture/endpoint.js';
import { runSuite, type SuiteResult } from './run-suite.js';

const REVISIONS = ['2026-07-28', '2025-11-25'];
const SECONDS = 1000;

let service: TestService | undefined;
afterEach(async () => {
  // The suite leaves streams open.
  service?.http.server.closeAllConnections();
  await service?.close();
});

async function suite(fixture: boolean, options: readonly string[]): Promise<SuiteResult> {
  service = await startService(fixture ? { mcpEndpoint: createFixtureEndpoint() } : {});
  const { headers } = await service.customer(1000);
  const address = await service.http.listen({ port: 0, host: '127.0.0.1' });
  return runSuite(address, headers, options);
}

describe('the official conformance suite', () => {
  it.each(REVISIONS)(
    'passes all %s requires, on a fixture server behind the hooks of the service',
    async (revision) => {
      const { exitCode, output } = await suite(true, ['--requirements', revision]);
      expect(output).toContain(`Not scored for ${revision}`);
      expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
    },
    120 * SECONDS,
  );

  it.each(REVISIONS)(
    'passes every scenario of %s that needs no fixtures, on the service itself',
    async (revision) => {
      const baseline = new URL(`./needs-fixtures-${revision}.yaml`, import.meta.url);
      const { exitCode, output } = await suite(false, [
        ...['--suite', 'all', '--spec-version', revision],
        ...['--expected-failures', fileURLToPath(baseline)],
      ]);
      for (const passed of ['tools-list', 'resources-list', 'dns-rebinding-protection']) {
        expect(output).toContain(`✓ ${passed}: `);
      }
      expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
    },
    120 * SECONDS,
  );

  it(
    'passes on the stateless service, except where it needs tools of the fixture',
    async () => {
      const options = ['--scenario', 'server-stateless', '--spec-version', '2026-07-28'];
      const { output } = await suite(false, [...options, '--verbose']);
      const checks = JSON.parse(output.slice(output.indexOf('\n[') + 1, output.indexOf('\n]') + 2));
      expect(checks.length).toBeGreaterThan(25);
      const failed = checks.filter(({ status }: { status: string }) =>
        ['FAILURE', 'WARNING'].includes(status),
      );
      for (const { errorMessage } of failed) {
        expect(errorMessage).toMatch(/^Not testable: server does not list the diagnostic tool/);
      }
    },
    120 * SECONDS,
  );
});

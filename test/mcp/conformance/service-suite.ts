import { startService } from '../../support/service.js';
import { createFixtureEndpoint } from '../fixture/endpoint.js';
import { runSuite, type SuiteResult } from './run-suite.js';

/**
 * Runs the official conformance suite against a new service.
 *
 * @param fixture whether a server with the tools that the suite calls answers, behind the hooks of the service
 * @param options options of the suite's `server` command, without the address
 */
export async function suite(fixture: boolean, options: readonly string[]): Promise<SuiteResult> {
  const service = await startService(fixture ? { mcpEndpoint: createFixtureEndpoint() } : {});
  try {
    const { headers } = await service.customer(1000);
    const address = await service.http.listen({ port: 0, host: '127.0.0.1' });
    return await runSuite(address, headers, options);
  } finally {
    // The suite leaves streams open.
    service.http.server.closeAllConnections();
    await service.close();
  }
}

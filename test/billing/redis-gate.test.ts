import { afterAll, beforeAll, describe } from 'vitest';
import { haveServers, type RedisServer, startRedis } from '../support/servers.js';
import { gateContract } from './gate-contract.js';
import { RedisHarness } from './redis-harness.js';

describe.skipIf(!haveServers)('redis gate', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  gateContract('redis', (options) => RedisHarness.open(server, options));
});

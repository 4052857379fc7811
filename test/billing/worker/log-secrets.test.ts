import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { programWords } from '../../support/build.js';
import { haveServers, newPostgresDatabase, startRedis } from '../../support/servers.js';
import { until } from '../../support/until.js';

const PASSWORD = 'not-the-right-one';

describe.skipIf(!haveServers)('the log of a worker', () => {
  it('says that Redis refuses its password, but not the password itself', async () => {
    const server = await startRedis();
    await server.run('config', 'set', 'requirepass', 'right');
    const worker = spawn(process.execPath, [...programWords('src/cli'), 'worker'], {
      env: {
        ...process.env,
        REDIS_URL: server.url.replace('//', `//:${PASSWORD}@`),
        DATABASE_URL: await newPostgresDatabase(),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(worker, 'exit');
    let log = '';
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.on('data', (text) => {
        log += `${text}`;
      });
    }
    await until(async () => log.includes('WRONGPASS'));
    worker.kill('SIGTERM');
    await ended;
    await server.stop();
    expect(log).toContain('cannot be used (WRONGPASS');
    expect(log).not.toContain(PASSWORD);
  });
});

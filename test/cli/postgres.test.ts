import { describe, expect, it } from 'vitest';
import { run } from '../support/cli.js';
import { haveServers, newPostgresDatabase } from '../support/servers.js';

describe.skipIf(!haveServers)('commands on PostgreSQL', () => {
  it('keep accounts, keys and credits', async () => {
    const env = { DATABASE_URL: await newPostgresDatabase() };
    expect(await run('accounts create --name acme --json', env)).toMatchObject({ code: 0 });
    const key = await run('keys create --account acme --mode live --json', env);
    expect(key).toMatchObject({ code: 0, stderr: '' });
    const granted = await run('credits grant --account acme --amount 7 --json', env);
    expect(granted.json).toMatchObject({ balance: 7, applied: true });
    const shown = await run('credits show --account acme --json', env);
    expect(shown.json).toMatchObject({ balances: { live: 7, test: 0 } });
  });

  it('describe a fault of the server and its remedy without the password', async () => {
    const wrong = (await newPostgresDatabase()).replace(/:[^:@]*@/, ':hunter2@');
    const failures = await Promise.all([
      run('accounts list --json', { DATABASE_URL: wrong }),
      run('accounts list --json', { DATABASE_URL: 'postgres://a:hunter2@127.0.0.1:1/db' }),
      run('serve --json', { DATABASE_URL: wrong }),
    ]);
    expect(failures.map(({ code, json }) => [code, json.code])).toEqual([
      [1, 'database_access_denied'],
      [1, 'database_unreachable'],
      [2, 'invalid_configuration'],
    ]);
    expect(failures[0]?.json.message).toContain('Correct the user and password in DATABASE_URL');
    expect(failures[2]?.json.message).toContain('REDIS_URL must be set');
    expect(JSON.stringify(failures)).not.toContain('hunter2');
  });
});

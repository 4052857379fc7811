import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/database/sqlite.js';
import { identityOf } from '../billing/gate-harness.js';
import { newAccount } from '../support/accounts.js';
import { programWords } from '../support/build.js';
import { type CliEnv, freshEnv, run } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { haveServers, newPostgresDatabase } from '../support/servers.js';
import { until } from '../support/until.js';

const newFile = () => join(newFolder('backup'), 'backup');
const pathOf = ({ DATABASE_URL }: CliEnv) => DATABASE_URL.slice('file:'.length);

/** A copy of a database with its log. This process reads the copy, because SQLite keeps its files open for a while. */
function copyOf(env: CliEnv): CliEnv {
  const copy = freshEnv();
  for (const end of ['', '-wal']) {
    if (existsSync(pathOf(env) + end)) copyFileSync(pathOf(env) + end, pathOf(copy) + end);
  }
  return copy;
}

describe('vitruvia backup and restore', () => {
  it('copy a SQLite database while it is charged, and put the copy back', async () => {
    const [made, file] = [freshEnv(), newFile()];
    const { apiKey } = await newAccount(made.DATABASE_URL, 'live', 1_000_000);
    const { keyHash } = identityOf(apiKey);
    const env = copyOf(made);
    // The other process writes to a file, because writes to a full pipe would fail.
    const log = newFile();
    const words = [
      ...programWords('test/billing/embedded/hammer-child'),
      env.DATABASE_URL,
      keyHash,
      'backup',
    ];
    const load = spawn(process.execPath, words, {
      stdio: ['ignore', openSync(log, 'w'), 'inherit'],
    });
    const charges = () => statSync(log).size;
    await until(() => charges() > 0);
    const backup = await run(`backup --to ${file} --json`, env);
    const after = charges();
    expect(backup).toMatchObject({ code: 0, json: { file } });
    await until(() => charges() > after);
    for (const name of [file, ...['', '-wal', '-shm'].map((end) => pathOf(env) + end)]) {
      expect(statSync(name).mode & 0o777, name).toBe(0o600);
    }
    for (const end of ['.partial', '.partial-wal', '-wal', '-shm']) {
      expect(existsSync(file + end)).toBe(false);
    }
    expect(await run(`backup --to ${file} --json`, env)).toMatchObject({
      code: 1,
      json: { code: 'file_exists' },
    });
    const inUse = await run(`restore --from ${file} --json`, env);
    expect(inUse).toMatchObject({ code: 1, json: { code: 'database_in_use' } });
    load.kill('SIGKILL');
    await once(load, 'close');
    const last = await balance(copyOf(env));

    const damaged = newFile();
    const bytes = readFileSync(file);
    bytes.fill(7, 4096, 40_960);
    writeFileSync(damaged, bytes);
    expect(await run(`restore --from ${damaged} --json`, env)).toMatchObject({ code: 1 });
    expect(await balance(copyOf(env))).toBe(last);
    // A database of another program.
    const foreign = newFile();
    openSqlite(foreign).close();
    const refused = await run(`restore --from ${foreign} --json`, env);
    expect(refused).toMatchObject({ code: 1, json: { code: 'not_a_backup' } });
    expect(refused.json.message).toContain(`${foreign} is not a backup`);
    const restored = await run(`restore --from ${file} --json`, env);
    expect(restored).toMatchObject({ code: 0, json: { restored: true } });
    const left = await balance(copyOf(env));
    expect(left).toBeLessThan(1_000_000);
    expect(left).toBeGreaterThan(last);
    const { replaced } = restored.json;
    expect(replaced).toContain('.replaced-');
    expect(await balance(copyOf({ DATABASE_URL: `file:${replaced}` }))).toBe(last);
    expect(await run('ledger verify', copyOf(env))).toMatchObject({ code: 0 });
  });

  it.skipIf(!haveServers)('dump PostgreSQL and load it into an empty database', async () => {
    const env = { DATABASE_URL: await newPostgresDatabase() };
    const empty = { DATABASE_URL: await newPostgresDatabase() };
    const file = newFile();
    await newAccount(env.DATABASE_URL, 'live', 7);
    expect(await run(`backup --to ${file} --json`, env)).toMatchObject({ code: 0, stderr: '' });
    await run('credits grant --account one --amount 5', env);
    const full = await run(`restore --from ${file} --json`, env);
    expect(full).toMatchObject({ code: 1, json: { code: 'database_not_empty' } });
    const bad = newFile();
    writeFileSync(bad, 'no dump');
    const refused = await run(`restore --from ${bad} --json`, empty);
    expect(refused).toMatchObject({ code: 1, json: { code: 'dump_failed' } });
    expect(refused.json.message).toContain(`${bad} cannot be read as a backup`);
    expect(await run(`restore --from ${file} --json`, empty)).toMatchObject({ code: 0 });
    expect(await balance(empty)).toBe(7);
    expect(await balance(env)).toBe(12);
    const granted = await run('credits grant --account one --amount 1 --json', empty);
    expect(granted.json).toMatchObject({ balance: 8 });
    expect(await run('ledger verify', empty)).toMatchObject({ code: 0 });
  });
});

async function balance(env: CliEnv): Promise<number> {
  return (await run('credits show --account one --json', env)).json.balances.live;
}

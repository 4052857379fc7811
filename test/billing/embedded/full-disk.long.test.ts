import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findAccount } from '../../../src/accounts/accounts.js';
import { balanceOf } from '../../../src/accounts/credits.js';
import { openDatabase } from '../../../src/database/open.js';
import { predict } from '../../../src/operations/predict.js';
import { newAccount } from '../../support/accounts.js';
import { type CliEnv, freshEnv, run, type Served, serve } from '../../support/cli.js';
import { limitedFiles, type SmallDisk, smallFileSystem } from '../../support/disks.js';
import { postJson } from '../../support/post-json.js';
import { writeTinyArtifact } from '../../support/tiny-artifact.js';
import { until } from '../../support/until.js';

const CREDITS = 1000;
const FLOOD = 300;

const probe = smallFileSystem();
probe?.remove?.();
const DISKS: [string, string, () => SmallDisk | undefined][] = [
  ['a file that may not grow', 'database_not_writable', limitedFiles],
];
// A full disk needs the right to mount. The other disk fails in the same way, with another code of SQLite.
if (probe !== undefined) DISKS.push(['a full disk', 'database_disk_full', smallFileSystem]);

describe.each(DISKS)('%s', (_name, code, makeDisk) => {
  let disk: SmallDisk;
  let env: CliEnv;
  let path: string;
  let served: Served;
  let address: string;
  let apiKey: string;

  beforeEach(async () => {
    const made = makeDisk();
    if (made === undefined) throw new Error('The file system could not be mounted.');
    disk = made;
    path = join(disk.folder, 'db.sqlite');
    env = freshEnv({ ARTIFACTS_DIR: writeTinyArtifact(), DATABASE_URL: `file:${path}` });
    ({ apiKey } = await newAccount(env.DATABASE_URL, 'test', CREDITS));
    await start();
  });
  afterEach(async () => {
    served.child.kill('SIGKILL');
    await served.ended;
    disk.remove?.();
  });

  const start = async (): Promise<void> => {
    served = await serve({ ...env, RATE_LIMIT_MAX: '100000' }, ['--json'], disk.under);
    ({ address } = JSON.parse(served.output.stdout));
  };
  const statusOf = async (route: string): Promise<number> =>
    (await fetch(`${address}${route}`)).status;
  const charge = async (): Promise<number> => {
    const answer = await postJson(`${address}/v1/predict`, apiKey, predict.example);
    await answer.text();
    return answer.status;
  };
  const balance = async (): Promise<number> => {
    const db = await openDatabase(env.DATABASE_URL);
    const { id } = await findAccount(db, 'one');
    return balanceOf(db, id, 'test').finally(() => db.destroy());
  };

  it('stops charging and says so, and goes on by itself once there is room', async () => {
    for (let call = 0; call < 5; call++) expect(await charge()).toBe(200);
    const pid = served.child.pid ?? 0;
    disk.fill(`${path}-wal`, pid);
    expect(await charge()).toBe(500);
    expect(await statusOf('/ready')).toBe(503);
    expect(await statusOf('/health')).toBe(200);
    const flood = await Promise.all(Array.from({ length: FLOOD }, charge));
    expect(new Set(flood)).toEqual(new Set([500]));
    const log = served.output.stderr;
    expect(log).toContain(`"file":"${path}"`);
    expect(log).toContain('Make room on its disk');
    expect(log.match(/the charging step failed/g)?.length).toBeLessThanOrEqual(3);

    const granted = await run('credits grant --account one --amount 5 --json', env, disk.under);
    expect([granted.code, granted.json.code]).toEqual([1, code]);
    expect(granted.json.message).toContain(path);
    expect(granted.json.message).not.toContain('rollback');

    // No request is needed: the writer notices the free space by itself.
    disk.free(pid);
    await until(async () => (await statusOf('/ready')) === 200);
    expect(await charge()).toBe(200);
    expect(await balance()).toBe(CREDITS - 6);
  });

  // On a real disk, a start deletes the old log and so makes space.
  it.skipIf(code === 'database_disk_full')(
    'is noticed by a process that starts on it',
    async () => {
      for (let call = 0; call < 5; call++) expect(await charge()).toBe(200);
      disk.fill(`${path}-wal`, served.child.pid ?? 0);
      await served.stop('SIGKILL');
      await start();
      expect(await statusOf('/ready')).toBe(503);
      disk.free(served.child.pid ?? 0);
      await until(async () => (await statusOf('/ready')) === 200);
      expect(await charge()).toBe(200);
    },
  );
});

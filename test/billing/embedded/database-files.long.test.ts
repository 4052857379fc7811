import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlitePath } from '../../../src/database/sqlite.js';
import { predict } from '../../../src/operations/predict.js';
import { newAccount } from '../../support/accounts.js';
import { freshEnv, type ServedAt, serveAt } from '../../support/cli.js';
import { postJson } from '../../support/post-json.js';
import { writeTinyArtifact } from '../../support/tiny-artifact.js';
import { until } from '../../support/until.js';

describe('a service whose database files are moved', () => {
  let served: ServedAt;
  let path: string;
  let apiKey: string;

  beforeEach(async () => {
    const env = freshEnv({ ARTIFACTS_DIR: writeTinyArtifact() });
    path = sqlitePath(env.DATABASE_URL);
    ({ apiKey } = await newAccount(env.DATABASE_URL, 'live'));
    served = await serveAt(env);
  });
  afterEach(() => {
    served.child.kill('SIGKILL');
  });

  const statusOf = async (file: string): Promise<number> =>
    (await fetch(`${served.address}${file}`)).status;
  const ask = () => postJson(`${served.address}/v1/predict`, apiKey, predict.example);
  const freeCallsLeft = async (): Promise<number> => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    return (await answer.json()).remaining_free_calls;
  };

  it('charges nothing until they are back, and names the file', async () => {
    let left = await freeCallsLeft();
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      renameSync(file, `${file}.moved`);
      await until(async () => (await statusOf('/ready')) === 503);
      await until(() => served.output.stderr.includes(`"file":"${file}"`));
      expect((await ask()).status).toBe(500);
      expect(await statusOf('/health')).toBe(200);
      renameSync(`${file}.moved`, file);
      await until(async () => (await statusOf('/ready')) === 200);
      expect(await freeCallsLeft()).toBe(left - 1);
      left -= 1;
    }
  });

  it('charges nothing after the database was replaced by a copy', async () => {
    await freeCallsLeft();
    copyFileSync(path, `${path}.copy`);
    rmSync(path);
    renameSync(`${path}.copy`, path);
    await until(async () => (await statusOf('/ready')) === 503);
    expect((await ask()).status).toBe(500);
  });
});

import { renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf } from '../../src/accounts/credits.js';
import { GENDERS } from '../../src/core/genders.js';
import { measurementIndex } from '../../src/core/measurements.js';
import { openDatabase } from '../../src/database/open.js';
import { dimensionRow } from '../../src/lookup/cell.js';
import { CURRENT_POINTER, FILES, NO_BLOCK } from '../../src/lookup/format.js';
import { samplePeople } from '../../src/operations/sample-people.js';
import { catchHangups } from '../../src/signals.js';
import { newAccount } from '../support/accounts.js';
import { freshEnv, type ServedAt, serveAt } from '../support/cli.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { until } from '../support/until.js';

const CREDITS = 1_000_000;
const RANGE = { measurement: 'Stature', gender: 'Male', age: 30, percentiles: [1, 5, 50, 95, 99] };
const COST = RANGE.percentiles.length;

let served: ServedAt;
let headers: Record<string, string>;
let root: string;
let db: Awaited<ReturnType<typeof openDatabase>>;
let account = '';
const log = () => served.output.stderr.trimEnd().split('\n');

beforeAll(async () => {
  root = writeTinyArtifact('a');
  writeTinyArtifact('b', { root, scale: 1.05 });
  writeTinyArtifact('few', { root, spoilBlocks: (block) => keepStatureOnly(block) });
  writeTinyArtifact('corrupt', { root });
  truncateSync(join(root, 'corrupt', FILES.grid), 1000);
  const env = freshEnv({ METRICS_PORT: '0', RATE_LIMIT_MAX: '1000000', ARTIFACTS_DIR: root });
  const { id, apiKey } = await newAccount(env.DATABASE_URL, 'live', CREDITS);
  account = id;
  db = await openDatabase(env.DATABASE_URL);
  headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  served = await serveAt(env);
});

afterAll(async () => {
  served.child.kill('SIGKILL');
  await db.destroy();
});

/** Only Stature keeps its model, and Span for men. */
function keepStatureOnly(block: Int32Array): void {
  const at = dimensionRow(measurementIndex('Stature') ?? 0, 0);
  const kept = block.slice(at, at + GENDERS.length);
  // The largest number stays in use, so that the grid still has as many blocks as needed.
  const largest = Math.max(...block);
  block.fill(NO_BLOCK);
  block.set(kept, at);
  block[dimensionRow(measurementIndex('Span') ?? 0, 0)] = largest;
}

async function ask(body: object = RANGE, more: Record<string, string> = {}) {
  const path = 'percentiles' in body ? '/v1/predict/range' : '/v1/predict';
  const init = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) };
  const answer = await fetch(`${served.address}${path}`, init);
  const replayed = answer.headers.get('idempotent-replayed');
  return { status: answer.status, text: await answer.text(), replayed };
}

function point(version: string): void {
  const fresh = join(root, '.current-fresh');
  writeFileSync(fresh, `${version}\n`);
  renameSync(fresh, join(root, CURRENT_POINTER));
}

const metrics = async () => await (await fetch(`${served.metricsAddress}/metrics`)).text();
const switches = async (outcome: string) =>
  Number(new RegExp(`switches_total{outcome="${outcome}"} (\\d+)`).exec(await metrics())?.[1]);

/** Points `current` at a version, sends a SIGHUP and waits until the attempt is over. */
async function hangUp(version: string, outcome = 'switched'): Promise<void> {
  const before = await switches(outcome);
  point(version);
  served.child.kill('SIGHUP');
  await expect.poll(() => switches(outcome)).toBe(before + 1);
}

/** Sends a SIGHUP and waits until the service verifies the version that is current now. */
async function hangUpUntilVerifying(): Promise<void> {
  const verifications = () => log().filter((line) => line.includes('"verifying artifacts"')).length;
  const before = verifications();
  served.child.kill('SIGHUP');
  await expect.poll(verifications).toBe(before + 1);
}

describe('SIGHUP', () => {
  it('switches under load: every answer comes from one version, none is lost or charged twice', async () => {
    const ofA = (await ask()).text;
    const seen = new Map<string, number>();
    const refusals: string[] = [];
    let loading = true;
    const load = async () => {
      while (loading) {
        const { status, text } = await ask();
        if (status !== 200) refusals.push(`${status} ${text}`);
        seen.set(text, (seen.get(text) ?? 0) + 1);
        // Without a pause, the service would have no time to switch.
        await sleep(10);
      }
    };
    const balanceBefore = await balanceOf(db, account, 'live');
    const clients = Array.from({ length: 12 }, load);
    /** Waits until there are so many new answers that every client has got some. */
    const answers = () => [...seen.values()].reduce((sum, count) => sum + count, 0);
    const moreAnswers = async () => {
      const before = answers();
      await until(() => answers() > before + 40);
    };
    await moreAnswers();
    await hangUp('b');
    await moreAnswers();
    loading = false;
    await Promise.all(clients);
    const ofB = (await ask()).text;
    expect(ofB).not.toBe(ofA);
    expect(refusals).toEqual([]);
    expect([...seen.keys()].sort()).toEqual([ofA, ofB].sort());
    expect(balanceBefore - (await balanceOf(db, account, 'live'))).toBe((answers() + 1) * COST);
  });

  it('lets a long computed answer end with the version that it began with', async () => {
    const body = JSON.stringify({ ...samplePeople.example, count: 4000, format: 'csv' });
    const ask = () => fetch(served.address + samplePeople.path, { method: 'POST', headers, body });
    const versionOf = ({ headers: of }: Response) => of.get('x-artifact-version');
    const whole = await (await ask()).text();
    const before = await balanceOf(db, account, 'live');
    const answer = await ask();
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      if (chunks.length === 0) await hangUp('a');
      chunks.push(chunk);
    }
    expect([versionOf(answer), Buffer.concat(chunks).toString()]).toEqual(['b', whole]);
    expect(before - (await balanceOf(db, account, 'live'))).toBe(400);
    await hangUp('b');
  });

  it('refuses a corrupt version, logs the reason, and keeps the old one', async () => {
    await hangUp('b', 'unchanged');
    const before = (await ask()).text;
    await hangUp('corrupt', 'refused');
    expect((await ask()).text).toBe(before);
    expect(await metrics()).toContain('vitruvia_artifact_info{version="b"} 1');
    expect(JSON.parse(log().at(-1) ?? '')).toMatchObject({
      fault: 'truncated',
      file: FILES.grid,
      artifact: 'b',
    });
  });

  it('several times in a row ends with the version that is current at the end', async () => {
    point('a');
    await hangUpUntilVerifying();
    point('b');
    for (let i = 0; i < 5; i++) served.child.kill('SIGHUP');
    point('a');
    served.child.kill('SIGHUP');
    await expect.poll(metrics).toContain('artifact_info{version="a"} 1');
  });

  it('does not change the answer of an idempotency key, and does not charge it again', async () => {
    const body = { measurement: 'HandLength', gender: 'Male', age: 30, percentile: 50 };
    await hangUp('b');
    const first = await ask(body, { 'idempotency-key': 'once' });
    expect(first).toMatchObject({ status: 200, replayed: null });
    const balance = await balanceOf(db, account, 'live');
    await hangUp('a');
    expect(await ask(body, { 'idempotency-key': 'once' })).toEqual({ ...first, replayed: 'true' });
    await hangUp('few');
    expect(await ask(body, { 'idempotency-key': 'once' })).toEqual({ ...first, replayed: 'true' });
    expect((await ask(body, { 'idempotency-key': 'another' })).status).toBe(404);
    expect((await ask({ ...body, age: 31 }, { 'idempotency-key': 'once' })).status).toBe(404);
    expect(await balanceOf(db, account, 'live')).toBe(balance);
  });

  it('does not prevent the service from closing during a verification', async () => {
    point('b');
    await hangUpUntilVerifying();
    expect(await served.stop()).toEqual([0, null]);
  });

  it('takes effect after the start if it comes during the start', async () => {
    const hangups = catchHangups();
    let reloads = 0;
    const reload = async () => {
      reloads++;
      return 'unchanged' as const;
    };
    process.emit('SIGHUP', 'SIGHUP');
    expect(reloads).toBe(0);
    hangups.obey({ reload, close: async () => undefined });
    expect(reloads).toBe(1);
    process.emit('SIGHUP', 'SIGHUP');
    expect(reloads).toBe(2);
    process.removeAllListeners('SIGHUP');
  });
});

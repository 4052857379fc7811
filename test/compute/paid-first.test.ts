import { afterAll, expect, it } from 'vitest';
import { ComputeError, ComputePool } from '../../src/compute/pool.js';
import { populationShare } from '../../src/operations/population-share.js';
import { HELD_OPERATIONS, Hold } from '../support/held-operations.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const hold = new Hold();
Object.assign(process.env, hold.env);
const artifactVersion = 'tiny';
const pool = new ComputePool({
  artifactsDir: writeTinyArtifact(artifactVersion),
  threads: 1,
  operationsModule: HELD_OPERATIONS,
  // The computations wait for this test, however long it takes.
  timeLimitSeconds: 3600,
});
afterAll(() => pool.close());

const { name: operation, example: input } = populationShare;
const task = { operation, input, artifactVersion };

it('computes what is paid for before what is free, and lets few free computations wait', async () => {
  hold.take();
  const ended: string[] = [];
  const ask = (name: string, free: { free?: true }) =>
    pool.compute({ ...task, ...free }).then(({ kind }) => {
      expect(kind).toBe('answer');
      ended.push(name);
    });
  const running = ask('first', { free: true });
  await hold.begun();
  const waiting = [ask('free', { free: true }), ask('free too', { free: true })];
  // Three free computations are all that one thread takes; paid ones have places of their own.
  const refused = pool.compute({ ...task, free: true });
  await expect(refused).rejects.toEqual(new ComputeError('full'));
  const paid = Array.from({ length: 5 }, (_, i) => ask(`paid ${i}`, {}));
  // Awaited as one, so that none of them is rejected without a listener.
  const all = Promise.all([running, ...waiting, ...paid]);
  hold.release();
  await all;
  expect(ended).toEqual(['first', ...paid.map((_, i) => `paid ${i}`), 'free', 'free too']);
  // Those that wait can leave, and others take their places.
  hold.take();
  const last = ask('last', { free: true });
  await hold.begun();
  const left = new AbortController();
  const leaving = pool.compute({ ...task, free: true }, left.signal);
  left.abort();
  await expect(leaving).rejects.toEqual(new ComputeError('left'));
  hold.release();
  await last;
});

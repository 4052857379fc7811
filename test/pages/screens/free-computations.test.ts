import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { Problem } from '../../../src/core/errors.js';
import type { PredictionModel } from '../../../src/operations/prediction-model.js';
import { samplePeople } from '../../../src/operations/sample-people.js';
import { sizeChart } from '../../../src/operations/size-chart.js';
import type { Computer } from '../../../src/request/pool.js';
import { ComputeError } from '../../../src/request/pool.js';
import type { ComputeTask } from '../../../src/request/tasks.js';
import {
  FREE_STEPS_PER_MINUTE,
  freeAnswers,
  freeComputations,
} from '../../../src/screens/shared/free-computations.js';
import type { SeveralRequests } from '../../../src/screens/shared/page-tasks.js';
import { until } from '../../support/until.js';

const pictureSecrets = () => ['one'];

it('keeps computed answers until the data change, and no refusals', async () => {
  let artifactVersion = 'one';
  let isFull = true;
  const asked: string[] = [];
  const computer = {
    async compute({ operation, input }: { operation: string; input: object }) {
      if (isFull) throw new ComputeError('full');
      const names = (input as Partial<SeveralRequests>).requests?.map((one) => one.operation);
      asked.push(...(names ?? [operation]));
      const answer = { of: artifactVersion, turn: asked.length };
      const json = JSON.stringify(names === undefined ? answer : names.map(() => ({ answer })));
      return { kind: 'answer', json };
    },
  } as unknown as Computer;
  const model = () => ({ artifactVersion }) as PredictionModel;
  const { answer, answers } = freeAnswers({ model, computer, pictureSecrets });
  const population = { groups: [{ countries: ['US', 'DE'], ageMin: 18, ageMax: 65 }] };
  const chart = {
    population,
    measurements: [{ measurement: 'HeadGirth', tolerance: 20 }],
    sizes: 3,
  };
  const sample = { population, count: 9, seed: 1, measurements: ['HeadGirth'] };

  await expect(answer(sizeChart, chart)).rejects.toThrow(Problem);
  isFull = false;
  const first = await answer(sizeChart, chart);
  expect(first).toEqual({ of: 'one', turn: 1 });
  expect(await answer(sizeChart, chart)).toEqual(first);
  const both = await answers({ charts: [sizeChart, [chart]], samples: [samplePeople, [sample]] });
  expect(both.charts).toEqual([first]);
  expect(asked).toEqual(['size_chart', 'sample_people']);
  // Kept answers need no free place, so they are given even if all places are taken.
  isFull = true;
  expect(await answer(samplePeople, sample)).toEqual(both.samples[0]);
  await expect(answer(sizeChart, { ...chart, sizes: 4 })).rejects.toThrow(Problem);
  isFull = false;
  artifactVersion = 'two';
  expect(await answer(sizeChart, chart)).toMatchObject({ of: 'two' });
});

it('begins no picture that nobody waits for, and gives each four times its estimate', async () => {
  const asked: ComputeTask[] = [];
  let made = () => {};
  const computer = {
    compute: (task: ComputeTask) => {
      asked.push(task);
      return new Promise((resolve) => {
        made = () => resolve({ kind: 'answer', json: '{"type":"image/webp","base64":""}' });
      });
    },
  } as unknown as Computer;
  const model = () => ({ artifactVersion: 'one' }) as PredictionModel;
  const { picture } = freeAnswers({ model, computer, pictureSecrets });
  const person = { gender: 'Male', ageYears: 40, valuesMm: { Stature: 1750 } } as const;
  const of = (heightPx: number) =>
    ({ person, view: 'standingFront', suit: '#0b5f66', heightPx }) as const;
  const first = picture(of(80), 'webp');
  const [left, stays] = [new AbortController(), new AbortController()];
  const gone = picture(of(160), 'webp', undefined, left.signal);
  const [one, other] = [left, stays].map(({ signal }) =>
    picture(of(240), 'webp', undefined, signal),
  );
  await until(() => asked.length === 1);
  left.abort();
  made();
  await first;
  await expect(gone).rejects.toMatchObject({ code: 'service_busy' });
  await until(() => asked.length === 2);
  made();
  expect(await one).toEqual(await other);
  const [{ limitMs, estimateMs = 0, input }] = asked.slice(-1) as [ComputeTask];
  expect(input).toMatchObject({ picture: { heightPx: 240 } });
  expect(limitMs).toBe(4 * estimateMs);
});

it('counts the work of a request in steps of half a second, also if it was left', async () => {
  const computer = {
    compute: () => Promise.reject(new ComputeError('left')),
  } as unknown as Computer;
  const app = fastify();
  await app.register(rateLimit, { global: false });
  const model = () => ({ artifactVersion: 'one' }) as PredictionModel;
  const free = freeComputations(app, freeAnswers({ model, computer, pictureSecrets }));
  const request = { ip: '10.0.0.1', routeOptions: { config: {} } } as FastifyRequest;
  const { signal: left } = new AbortController();
  const population = { groups: [{ countries: ['World'], ageMin: 18, ageMax: 65 }] };
  const sample = { population, count: 10_000, seed: 1, measurements: ['HeadGirth'] };
  await expect(free.answer(samplePeople, sample, left)).rejects.toThrow(Problem);
  const steps = Math.floor(free.workMsOf(left) / 500);
  expect(steps).toBeGreaterThan(0);
  await free.spend(request, left);
  for (let asked = steps; asked < FREE_STEPS_PER_MINUTE; asked++) {
    expect(await free.count(request)).toBeUndefined();
  }
  expect(await free.count(request)).toMatchObject({ problem: { code: 'rate_limited' } });
});

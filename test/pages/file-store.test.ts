import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { programThread } from '../../src/core/program-thread.js';
import type { PredictionModel } from '../../src/operations/prediction-model.js';
import { sizeChart } from '../../src/operations/size-chart.js';
import { freeAnswers } from '../../src/screens/shared/free-computations.js';
import { FileStore } from '../../src/site/pictures/file-store.js';
import type { MadePicture } from '../../src/site/pictures/make-picture.js';
import { newFolder } from '../support/folders.js';

// People and pictures that are kept on disk.

const MIB = 1024 * 1024;
const storeIn = (folder: string, bytesMax = MIB) => FileStore.at({ folder, bytesMax });
const filesOf = (folder: string) => readdirSync(folder).map((name) => join(folder, name));
const asText = (content: Uint8Array) => Buffer.from(content).toString();

describe('the store of files', () => {
  it('makes a value once for two threads that ask at once', async () => {
    const folder = newFolder('store');
    const { file, options } = programThread('./store-child', import.meta.url);
    const arrived = new Int32Array(new SharedArrayBuffer(4));
    const ask = async () => {
      const thread = new Worker(file, { ...options, workerData: { folder, arrived } });
      return (await once(thread, 'message'))[0] as { value: string; made: boolean };
    };
    const made = await Promise.all([ask(), ask()]);
    expect(made.map(({ value }) => value)).toEqual(['value', 'value']);
    expect(made.filter(({ made }) => made)).toHaveLength(1);
  });

  it('removes damaged files and makes their values again', () => {
    const folder = newFolder('store');
    const store = storeIn(folder);
    store.set('one', Buffer.from('value'));
    const [path = ''] = filesOf(folder);
    for (const damaged of [
      readFileSync(path).subarray(0, -1),
      Buffer.alloc(100),
      Buffer.alloc(0),
    ]) {
      writeFileSync(path, damaged);
      expect(store.get('one')).toBeUndefined();
      expect(filesOf(folder)).toEqual([]);
    }
    expect(store.valueOf('one', () => 'again', Buffer.from, asText)).toBe('again');
    expect(asText(store.get('one') as Buffer)).toBe('again');
  });

  it('stays below its bound, and keeps what was used last and what is not its own', () => {
    const folder = newFolder('store');
    const store = storeIn(folder);
    const database = join(folder, 'vitruvia.sqlite');
    writeFileSync(database, '');
    utimesSync(database, 0, 0);
    for (let i = 0; i < 100; i++) {
      store.set(`${i}`, Buffer.alloc(MIB / 20, i));
      expect(store.get('0')?.[0], `after ${i}`).toBe(0);
      const bytes = filesOf(folder).reduce((sum, path) => sum + statSync(path).size, 0);
      expect(bytes).toBeLessThanOrEqual(MIB);
    }
    expect(store.get('99')?.[0]).toBe(99);
    expect(store.get('1')).toBeUndefined();
    expect(readdirSync(folder)).toContain('vitruvia.sqlite');
  });

  it('makes values where the folder cannot be written', () => {
    const file = join(newFolder('store'), 'file');
    writeFileSync(file, '');
    for (const folder of [file, join(file, 'below')]) {
      expect(storeIn(folder).valueOf('one', () => 'value', Buffer.from, asText)).toBe('value');
    }
  });
});

describe('pictures on disk', () => {
  const model = { artifactVersion: 'invented' } as PredictionModel;
  const picture = {
    ...{ person: { gender: 'Female', ageYears: 30, valuesMm: { Stature: 1660 } } as const },
    ...({ view: 'standingFront', suit: '#0b5f66', heightPx: 160 } as const),
  };
  /** The answers of a service that has just started. */
  const started = (folder: string, type = 'image/webp') => {
    const tasks: object[] = [];
    const made: MadePicture = { type, base64: 'AAAA' };
    const free = freeAnswers({
      model: () => model,
      pictureSecrets: () => ['secret'],
      store: { folder, bytesMax: MIB },
      computer: {
        async compute(task) {
          tasks.push(task.input);
          return { kind: 'answer', json: JSON.stringify(made) } as never;
        },
      },
    });
    return { ...free, tasks };
  };

  it('are made once, also after a restart', async () => {
    const folder = newFolder('store');
    for (const times of [1, 0]) {
      const { picture: get, tasks } = started(folder);
      expect(await get(picture, 'webp')).toEqual({ type: 'image/webp', base64: 'AAAA' });
      expect(tasks).toHaveLength(times);
    }
  });

  it('are not kept if they show a person of an account, or lack their pixels', async () => {
    const folder = newFolder('store');
    for (const [asked, type] of [
      [{ ...picture, isOwn: true }, 'image/webp'],
      [picture, 'image/svg+xml'],
    ] as const) {
      const { picture: get, tasks } = started(folder, type);
      await get(asked, 'webp');
      expect(tasks).toHaveLength(1);
      expect(filesOf(folder)).toEqual([]);
    }
  });

  it('are beside the answers of views into which nobody typed', async () => {
    const folder = newFolder('store');
    const population = { groups: [{ countries: ['US'], ageMin: 18, ageMax: 65 }] };
    const measurements = [{ measurement: 'HeadGirth', tolerance: 20 }];
    const chart = { population, measurements, sizes: 3 };
    for (const [isKept, times] of [
      [false, 1],
      [true, 1],
      [false, 1],
      [true, 0],
    ] as const) {
      const { answer, keepOnDisk, tasks } = started(folder);
      const { signal } = new AbortController();
      if (isKept) keepOnDisk(signal);
      expect(await answer(sizeChart, chart, signal)).toMatchObject({ base64: 'AAAA' });
      expect(tasks).toHaveLength(times);
    }
  });
});

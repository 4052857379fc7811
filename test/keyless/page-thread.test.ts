import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { buildPageApp, type PageServer } from '../../src/keyless/page-app.js';
import { PageThread, type PageThreadParts, UNDER_WAY_MAX } from '../../src/keyless/page-thread.js';
import type { Computer } from '../../src/request/pool.js';
import { computerHere } from '../support/computer-here.js';
import { modelOf } from '../support/models.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { until } from '../support/until.js';

const artifactsDir = writeTinyArtifact();
const { artifactVersion } = modelOf(artifactsDir);
const origin = 'http://localhost';
const lines: string[] = [];
const log = pino({}, { write: (line: string) => void lines.push(line) });
const present = () => new AbortController().signal;

/** A computer that notes its requests and never answers. */
function noComputer() {
  const asked: (AbortSignal | undefined)[] = [];
  const compute: Computer['compute'] = (_, left) =>
    new Promise(() => {
      asked.push(left);
    });
  return { asked, computer: { compute } };
}

let started: PageServer | undefined;
afterEach(async () => {
  await started?.close();
  started = undefined;
});

function start(parts: Partial<PageThreadParts> = {}): PageServer {
  const { computer } = noComputer();
  started = new PageThread({
    ...{ artifactsDir, env: 'preview', rateLimitMax: 100, computer, log },
    context: () => ({ artifactVersion, origin, pictureSecrets: ['one'] }),
    ...parts,
  });
  return started;
}

/** Each request comes from another address, so that the limit of one address refuses none. */
let addresses = 0;
const ask = (url: string) => {
  const ip = `10.0.${Math.floor(++addresses / 250)}.${addresses % 250}`;
  return { id: `req_${addresses}`, url, ip, headers: {} };
};

describe('the thread of the pages', () => {
  it('answers as the page app does', async () => {
    const model = modelOf(artifactsDir);
    const here = await buildPageApp({
      ...{ env: 'preview', rateLimitMax: 100, log },
      model: () => model,
      computer: computerHere(model),
      publicUrl: () => origin,
      pictureSecrets: () => ['one'],
    });
    const thread = start();
    for (const url of ['/docs/authentication', '/llms.txt', '/docs/nowhere']) {
      const request = ask(url);
      const [one, other] = [
        await thread.answer(request, present()),
        await here.answer(request, present()),
      ];
      expect({ ...one, body: Buffer.from(one.body).toString() }).toEqual({
        ...other,
        body: Buffer.from(other.body).toString(),
      });
    }
    await here.close();
  });

  it('lets the pool of the service compute, and says when nobody waits any more', async () => {
    const { asked, computer } = noComputer();
    const thread = start({ computer });
    const left = new AbortController();
    const answer = thread.answer(ask('/explore'), left.signal);
    await until(() => asked.length > 0);
    left.abort();
    await expect(answer).rejects.toThrow('the client has left');
    await until(() => asked[0]?.aborted === true);
  });

  it('begins no request whose client has left', async () => {
    const { asked, computer } = noComputer();
    const thread = start({ computer });
    const gone = Array.from({ length: 20 }, async (_, index) => {
      const left = new AbortController();
      const answer = thread.answer(ask(`/explore?p=Female~DE~${20 + index}-70`), left.signal);
      left.abort();
      await expect(answer).rejects.toThrow('the client has left');
    });
    await Promise.all(gone);
    // This page comes after all the others.
    await thread.answer(ask('/docs'), present());
    expect(asked).toEqual([]);
  });

  it('refuses what comes while too many wait, and is there again after that', async () => {
    const left = new AbortController();
    const { asked, computer } = noComputer();
    const thread = start({ computer });
    const waiting = Array.from({ length: UNDER_WAY_MAX }, (_, index) =>
      thread.answer(ask(`/explore?p=Female~DE~20-${30 + index}`), left.signal).catch(() => 'left'),
    );
    await expect(thread.answer(ask('/docs'), present())).rejects.toMatchObject({
      code: 'service_busy',
    });
    await until(() => asked.length === UNDER_WAY_MAX);
    left.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['left']));
    expect((await thread.answer(ask('/docs'), present())).status).toBe(200);
  });

  it('refuses its requests where its memory is not enough, says so in the log, and starts again', async () => {
    lines.length = 0;
    const thread = start({ heapMib: 8 });
    for (let time = 1; time <= 2; time++) {
      await expect(thread.answer(ask('/docs'), present())).rejects.toMatchObject({
        code: 'service_busy',
      });
    }
    expect(lines.filter((line) => line.includes('the thread of the pages failed'))).toHaveLength(2);
  });
});

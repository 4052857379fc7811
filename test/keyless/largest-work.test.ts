import { expect, it } from 'vitest';
import { deploymentSecret, PICTURE_SECRET } from '../../src/accounts/deployment-secret.js';
import { KEYLESS_ROUTES, LARGEST_WORK } from '../../src/keyless/routes.js';
import { SEARCH_PATH } from '../../src/pages/docs/search-page.js';
import { ComputeError, type Computer } from '../../src/request/pool.js';
import type { ComputeTask } from '../../src/request/tasks.js';
import type { SeveralRequests } from '../../src/screens/shared/page-tasks.js';
import { PEOPLE_PATH } from '../../src/site/paths.js';
import { type AnyPicture, PictureAddresses } from '../../src/site/pictures/addresses.js';
import type { PictureTask } from '../../src/site/pictures/make-picture.js';
import { computerHere } from '../support/computer-here.js';
import { modelOf } from '../support/models.js';
import { pngSize } from '../support/screen-page.js';
import { realArtifacts } from '../support/servers.js';
import { until } from '../support/until.js';
import { useService } from '../support/use-service.js';
import { cases } from '../support/whole-run.js';

/** Request to the pool, and whether it makes pictures. */
const tasks: { readonly task: ComputeTask; readonly left: AbortSignal | undefined }[] = [];
let draws = true;

/** The same task with little work: about one country, few ages and a seat that stands. */
function lesser(task: ComputeTask): ComputeTask {
  const text = JSON.stringify(task.input)
    .replaceAll('"World"', '"LU"')
    .replace(/"ageMin":\d+,"ageMax":120/g, '"ageMin":90,"ageMax":120')
    .replace(/"travel":\{.*?\}/g, '"travel":{"x":[0,0]}');
  return { ...task, input: JSON.parse(text) };
}

/** Computes in small what tasks ask for, and the same thing once. */
function smallComputer(here: Computer): Computer {
  const made = new Map<string, ReturnType<Computer['compute']>>();
  const once = (key: string, task: ComputeTask) => {
    const result = made.get(key) ?? here.compute(task);
    made.set(key, result);
    return result;
  };
  return {
    async compute(task) {
      if (task.operation === 'makePicture') {
        // The first picture of each kind stands for all.
        const { picture, form } = task.input as PictureTask;
        const input = { picture: { ...picture, heightPx: 80 }, form };
        return once(`${'stance' in picture} ${form}`, { ...task, input });
      }
      const small = lesser(task);
      const { requests } = small.input as Partial<SeveralRequests>;
      if (requests === undefined) {
        return once(`${task.operation} ${JSON.stringify(small.input)}`, small);
      }
      const parts: unknown[] = [];
      for (const one of requests) {
        const part = await once(JSON.stringify(one), { ...task, input: { requests: [one] } });
        parts.push(...(part.kind === 'answer' ? JSON.parse(part.json) : []));
      }
      return { kind: 'answer', json: JSON.stringify(parts) };
    },
  };
}

const service = useService(async () => {
  const artifacts = await realArtifacts();
  const small = smallComputer(computerHere(modelOf(artifacts)));
  const compute: Computer['compute'] = (task, left) => {
    tasks.push({ task, left });
    if (draws || task.operation !== 'makePicture') return small.compute(task);
    return new Promise((_, reject) =>
      left?.addEventListener('abort', () => reject(new ComputeError('left'))),
    );
  };
  return { artifacts, computer: { compute }, keepsPictures: false };
});

const COMPUTED = Object.keys(KEYLESS_ROUTES).filter((path) => KEYLESS_ROUTES[path] === 'computed');
/** The search of the documentation asks the pool for nothing. Its own test sends absurd texts. */
const POOLED = COMPUTED.filter((path) => path !== SEARCH_PATH);
/** A scene asks for what the share image of its screen asks for. */
const isScene = (path: string): boolean => path.endsWith('/scene.svg');
const PATHS = cases(
  POOLED.filter((path) => !isScene(path) && path !== `${PEOPLE_PATH}*`),
  POOLED.filter(isScene),
);
const asked = [...PATHS, `${PEOPLE_PATH}*`].flatMap((path) =>
  (LARGEST_WORK[path]?.asked ?? []).map((one, index) => [path, index, one] as const),
);

/** Asks, and says what the pool was asked for. */
async function ask(url: string) {
  tasks.length = 0;
  const faults = service.logLines.length;
  const reply = await service.get(url);
  const workMs = tasks.reduce((sum, { task }) => sum + (task.estimateMs ?? Number.NaN), 0);
  const errors = service.logLines.slice(faults).filter((line) => JSON.parse(line).level >= 50);
  return { reply, workMs, errors };
}

async function addressOf(picture: AnyPicture): Promise<string> {
  const secret = await deploymentSecret(service.db, PICTURE_SECRET);
  const version = () => service.model.artifactVersion;
  return new PictureAddresses(version, () => [secret]).of(picture, 'png');
}

/** Whether an answer with status 200 has its end. */
function isWhole({ headers, body, rawPayload }: Awaited<ReturnType<typeof ask>>['reply']): boolean {
  const type = String(headers['content-type']);
  if (type === 'image/png') return pngSize(rawPayload).every((side) => side > 0);
  if (type.startsWith('application/json')) return JSON.parse(body) !== null;
  const [, end = '\n'] = /(html|svg)/.exec(type) ?? [];
  return body.trimEnd().endsWith(end === '\n' ? '' : `</${end}>`) && body.length > 0;
}

it('every route whose address describes work has its largest work', () => {
  expect(Object.keys(LARGEST_WORK).sort()).toEqual(COMPUTED.toSorted());
  expect(LARGEST_WORK[SEARCH_PATH]?.workMs).toBe(0);
});

it.each(asked)('%s does no more work than its bound: %i', async (path, _, one) => {
  const url = typeof one === 'string' ? `${path}?${one}` : await addressOf(one);
  const { reply, workMs, errors } = await ask(url);
  expect([errors, reply.statusCode, isWhole(reply)]).toEqual([[], 200, true]);
  expect(workMs).toBeLessThanOrEqual(LARGEST_WORK[path]?.workMs ?? 0);
});

it('a refused scene of Reach and the scene before it do no more work than one scene', async () => {
  const { asked: [largest = ''] = [], workMs: most = 0 } = LARGEST_WORK['/explore/reach'] ?? {};
  const refused = `${largest}&target=Low~500~-300~-20~grip~either~none`;
  const before = encodeURIComponent(String(largest));
  const { reply, workMs } = await ask(`/explore/reach?${refused}&before=${before}`);
  expect([reply.statusCode, reply.body.includes('data-share')]).toEqual([422, true]);
  expect(workMs).toBeLessThanOrEqual(most);
});

it('a view that needs too many computations is refused', async () => {
  const people = Array.from({ length: 6 }, (_, i) => `p=Both~World~${i}-120~winter`).join('&');
  const view = `product=school-desk&depth=400&${people}`;
  const { reply, workMs } = await ask(`/explore/fit/data?${view}`);
  expect([reply.statusCode, reply.json().code]).toEqual([422, 'computation_too_large']);
  expect(workMs).toBeLessThanOrEqual(LARGEST_WORK['/explore/fit/data']?.workMs ?? 0);
});

const many = (count: number, text: (index: number) => string, between = '') =>
  Array.from({ length: count }, (_, i) => text(i)).join(between);
const NAMES =
  'age ages case cover length of order percentile seed sizes target turn value width q'.split(' ');
/** A query with one number in every place. */
const everywhere = (n: string) =>
  [
    ...NAMES.map((name) => `${name}=${n}`),
    `p=Both~DE~${n}-${n}&points=${n}:${n}&ages=${n}-${n}&who=${n}~Female~${n}~${n}`,
    `known=Stature~${n}&d=Stature~${n}&limit=Stature~${n}~${n}&clear=${n},${n}`,
    `seat=${many(7, () => n, '~')}&target=L~${n}~${n}~${n}~grip~right~none`,
    `see=S~${many(7, () => n, '~')}&clear=C~${many(6, () => n, '~')}~head`,
  ].join('&');
const EMOJI = encodeURIComponent('😀');
const ABSURD: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    cases(['NaN', '-1e308'], ['1e308', '5e-324', 'Infinity', '0']).map((n) => [n, everywhere(n)]),
  ),
  'repeated parameters': `${many(400, () => 'p=Both~QQ~18-65&')}${many(400, () => 'm=Stature&q=a&age=30&')}`,
  'thousands of places': many(6, () => `p=Both~${many(430, () => 'World', ',')},QQ~18-65`, '&'),
  'thousands of unknown names': `p=Both~DE~18-65&m=${many(2500, (i) => `X${i}`, ',')}&country=${many(300, (i) => `Q${i}`, ',')}`,
  'emoji at the end of names': `p=Both~DE~18-65~~${'a'.repeat(59)}${EMOJI}&target=${'a'.repeat(59)}${EMOJI}~500~0~600~grip~right~none&who=1700~~~~${'a'.repeat(29)}${EMOJI}`,
  'a name of 16 kB': `p=Both~DE~18-65~~${EMOJI.repeat(1200)}&measurement=${'a'.repeat(800)}`,
  'broken characters': 'p=%ff~%00~%&m=%e2%82&q=%&target=%ff',
};

it.each(Object.entries(ABSURD))(
  'absurd addresses are answered or refused: %s',
  async (_, query) => {
    for (const path of PATHS) {
      const { reply, workMs, errors } = await ask(`${path}?${query}`);
      const { statusCode: status } = reply;
      const isAnswered = status === 200 ? isWhole(reply) : status < 500;
      expect([path, errors, isAnswered]).toEqual([path, [], true]);
      expect(reply.rawPayload.length, path).toBeLessThan(1.5e6);
      expect(workMs, path).toBeLessThanOrEqual(LARGEST_WORK[path]?.workMs ?? 0);
    }
  },
);

it('a client that leaves ends the picture that its share image waits for', async () => {
  draws = false;
  tasks.length = 0;
  const leaving = new AbortController();
  const url = '/explore/dimension/share.png?country=NL&age=33';
  const answer = service.http.inject({ url, signal: leaving.signal }).catch(() => 'left');
  const picture = () => tasks.find(({ task }) => task.operation === 'makePicture');
  await until(() => picture() !== undefined);
  leaving.abort();
  await until(() => picture()?.left?.aborted === true);
  expect(await answer).toBe('left');
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.js';
import { populationShare } from '../../src/operations/population-share.js';
import { predict } from '../../src/operations/predict.js';
import { writeBodyArtifact } from '../support/body.js';
import { haveServers, type RedisServer, startRedis } from '../support/servers.js';
import { type Cluster, startCluster } from './serving-cluster.js';

const HEAVY = OPERATIONS.filter(({ computed }) => computed === true);
const PRICE = HEAVY.reduce((sum, { example, cost }) => sum + cost(example), 0);
/** Enough requests with one idempotency key that both processes get some. */
const REPEATS = 8;

const isJson = ({ headers }: Response) => headers.get('content-type')?.includes('json') === true;

describe.skipIf(!haveServers)('heavy operations in serve --workers 2', () => {
  let redis: RedisServer;
  let cluster: Cluster;
  beforeAll(async () => {
    redis = await startRedis();
    const credits = PRICE + 2 * populationShare.cost({} as never) + 1;
    cluster = await startCluster(
      redis,
      // Allows all computations of a test key within seconds.
      { ARTIFACTS_DIR: await writeBodyArtifact(), COMPUTE_SECONDS_PER_MINUTE: '600' },
      { credits },
    );
  });
  afterAll(async () => {
    cluster.served.child.kill('SIGKILL');
    await redis.stop();
  });

  const ask = async (
    { path, example }: Pick<typeof populationShare, 'path'> & { example: object },
    key?: string,
  ) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    const answer = await cluster.post(path, JSON.stringify(example), headers);
    // biome-ignore lint/suspicious/noExplicitAny: answers and problems alike, and the bytes of files.
    const body = isJson(answer) ? ((await answer.json()) as any) : await answer.arrayBuffer();
    return { answer, body };
  };
  it('answer, and each is charged its price', async () => {
    expect(cluster.pids()).toHaveLength(2);
    for (const operation of HEAVY) {
      const before = await cluster.spent();
      const { answer, body } = await ask(operation);
      expect([operation.name, answer.status]).toEqual([operation.name, 200]);
      const charged = isJson(answer) ? operation.charged?.(body) : undefined;
      const price = charged ?? operation.cost(operation.example);
      expect([operation.name, (await cluster.spent()) - before]).toEqual([operation.name, price]);
    }
  });

  it('are charged once for a key, whichever process answers', async () => {
    const before = await cluster.spent();
    const found = [];
    for (let i = 0; i < REPEATS; i++) found.push(await ask(populationShare, 'same'));
    expect(found.map(({ answer }) => answer.status)).toEqual(Array(REPEATS).fill(200));
    expect(new Set(found.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const replayed = found.filter(({ answer }) => answer.headers.has('idempotent-replayed'));
    // The first answer is a replay, too, if its request was sent again.
    expect(replayed.length).toBeGreaterThanOrEqual(REPEATS - 1);
    expect((await cluster.spent()) - before).toBe(populationShare.cost({} as never));
  });

  it('asked at once are charged only as far as the credits go', async () => {
    const before = await cluster.spent();
    // Both processes may compute at once. The last step decides which of the two answers is paid.
    const asked = await Promise.all([ask(populationShare), ask(populationShare)]);
    const answers = asked.filter(({ answer }) => answer.status === 200);
    expect(answers.length).toBeLessThanOrEqual(1);
    for (const { answer } of asked) expect([200, 402]).toContain(answer.status);
    const price = populationShare.cost({} as never);
    expect((await cluster.spent()) - before).toBe(answers.length * price);
    // If both were refused, this one is paid. In each case, one credit is left.
    expect((await ask(populationShare)).answer.status).toBe(answers.length === 0 ? 200 : 402);
    const rest = await ask(predict);
    expect([rest.answer.status, rest.body.remaining_free_calls]).toEqual([200, undefined]);
  });
});

import { OPERATIONS } from '../src/operations/index.js';
import { predict } from '../src/operations/predict.js';
import { ask, refusals, repeat, said } from './clients.js';
import { alternate, loaded, median, type Plan, PREDICTIONS, predictions } from './load.js';
import { BESIDE, MANY_PEOPLE, type Sent, thousand } from './requests.js';
import { type Service, startUnlimited } from './service.js';
import { atLeast, atMost, type Figure, figure } from './table.js';

/** Keys that send predictions or batches, and keys that ask about populations. */
const [LIGHT_KEYS, HEAVY_KEYS] = [16, 4];
/** Connections that send batches; the pool has places for nine computations on two cores. */
const BATCH_CONNECTIONS = 8;
/** Computations that an account may have at once. */
const EACH = 2;

/** Batches, and predict beside population requests, over HTTP on the embedded database. */
export async function* beside(plan: Plan): AsyncGenerator<Figure> {
  const server = await startUnlimited(undefined, LIGHT_KEYS + HEAVY_KEYS);
  const peopleMs = await timesOf(server, LIGHT_KEYS, MANY_PEOPLE, 4);
  yield atMost(1500, '10,000 people as an Arrow stream', median(peopleMs.slice(1)), 'ms');
  const five = OPERATIONS.slice(0, 5).map(({ name, example }) => ({
    operation: name,
    input: example,
  }));
  const mixedMs = (await timesOf(server, 0, thousand(five), 60)).slice(29);
  yield atMost(100, 'batch of 1,000 entries of five operations, p50', median(mixedMs), 'ms');
  const light = { ...server, keys: server.keys.slice(0, LIGHT_KEYS) };
  const target = predictions(light);
  const batch = thousand(PREDICTIONS.map((input) => ({ operation: predict.name, input })));
  const batches = { ...target, url: server.address + batch.path, bodies: [batch.body] };
  const singles = loaded(target);
  const entries = await alternate(plan, {
    many: loaded({ ...batches, connections: BATCH_CONNECTIONS }),
    one: singles,
  });
  const inBatches = entries(({ many }) => 1000 * many.perSecond);
  yield atLeast(150_000, 'predict entries in batches', inBatches, '/s');
  const ratio = entries(({ many, one }) => (1000 * many.perSecond) / one.perSecond);
  yield figure('entries in batches ÷ single requests', ratio, '×');
  const of = await alternate(plan, {
    without: singles,
    async beside(seconds) {
      const computations = busy(server);
      const result = await singles(seconds);
      const answers = computations.seen.timesMs.length / seconds;
      const refused = refusals(await computations.stop());
      if (Object.keys(refused.statuses).length > 0) throw new Error(`refused: ${said(refused)}`);
      return { ...result, answers };
    },
  });
  yield figure(
    'p99 of predict',
    of(({ without }) => without.p99Ms),
    'ms',
  );
  yield figure(
    'population answers beside predict',
    of(({ beside }) => beside.answers),
    '/s',
  );
  const slower = of(({ without, beside }) => beside.p99Ms / without.p99Ms);
  yield atMost(2, 'p99 of predict beside them ÷ without', slower, '×');
  const rate = of(({ without, beside }) => beside.perSecond / without.perSecond);
  yield figure('rate of predict beside them ÷ without', rate, '×');
}

/** Keeps the pool busy: each account has two requests under way. */
const busy = ({ address, keys }: Service) =>
  repeat(EACH * HEAVY_KEYS, (count, client) => {
    const key = keys[LIGHT_KEYS + (client % HEAVY_KEYS)] as string;
    return ask({ address, key }, BESIDE[(client + count) % BESIDE.length] as Sent);
  });

/** Times of a request that is sent again and again, in ms. */
async function timesOf({ address, keys }: Service, key: number, sent: Sent, count: number) {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const own = keys[(key + i) % keys.length] as string;
    const { status, ms, text } = await ask({ address, key: own }, sent);
    if (status !== 200) throw new Error(`${sent.path} was refused: ${text.slice(0, 500)}`);
    times.push(ms);
  }
  return times;
}

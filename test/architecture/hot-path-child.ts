import { Session } from 'node:inspector/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { createKey } from '../../src/accounts/keys.js';
import { readConfig } from '../../src/config.js';
import { openDatabase } from '../../src/database/open.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { startServer } from '../../src/server.js';

// Prints the source files that run for one paid request of an operation in embedded mode, as a JSON
// list. Started by hot-path.test.ts with the operation; the environment names the stores.
const folder = new URL('../../src/', import.meta.url).href;

const config = readConfig(process.env);
const db = await openDatabase(config.databaseUrl);
const { id } = await createAccount(db, 'one');
const { apiKey } = await createKey(db, id, 'live');
await grantCredits(db, id, 'live', 1000);
await db.destroy();

const server = await startServer(config, 2);

const [, , name, most] = process.argv;
const operation = OPERATIONS.find((one) => one.name === name);
if (operation === undefined) throw new Error(`there is no operation ${name}`);
const { path, example } = operation;

async function request() {
  const answer = await fetch(`${server.address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(example),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
}

/** What a profiler answers to `takePreciseCoverage`. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

type Post = (method: string, params?: object) => Promise<Coverage>;

/** The profilers of this thread and of all worker threads. */
async function connectProfilers(): Promise<readonly Post[]> {
  const session = new Session();
  session.connect();
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of `post` name each method.
  const post: Post = (method, params) => (session as any).post(method, params);
  const workers: string[] = [];
  const waiting = new Map<number, (result: Coverage) => void>();
  session.on('NodeWorker.attachedToWorker', ({ params }) => workers.push(params.sessionId));
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { id: number, result } = JSON.parse(params.message);
    waiting.get(number)?.(result);
  });
  await post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  while (workers.length === 0) await nextTurn();
  let asked = 0;
  const postTo =
    (sessionId: string): Post =>
    (method, params) =>
      new Promise((resolve) => {
        const message = JSON.stringify({ id: ++asked, method, params });
        waiting.set(asked, resolve);
        void post('NodeWorker.sendMessageToWorker', { sessionId, message });
      });
  return [post, ...workers.map(postTo)];
}

// The first requests fill the caches.
for (let call = 0; call < 5; call++) await request();
const profilers = await connectProfilers();
for (const post of profilers) {
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
}

/** The source files that ran since the last call, without their extensions. */
async function takeFiles(): Promise<string[]> {
  const scripts: Coverage['result'][number][] = [];
  for (const post of profilers) {
    scripts.push(...(await post('Profiler.takePreciseCoverage')).result);
  }
  return scripts
    .filter(({ url }) => url.startsWith(folder))
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url }) => url.slice(folder.length).replace(/\.[jt]s(\?.*)?$/, ''));
}

// A file that does not run in every request belongs to a timer. On a busy machine a timer of 250 ms may run
// in several requests one after another, but not in so many. The second argument says how few files suffice.
const enough = Number(most);
let files: string[] | undefined;
for (let call = 0; call < 60 && (files?.length ?? Number.POSITIVE_INFINITY) > enough; call++) {
  await takeFiles();
  await request();
  const ran = new Set(await takeFiles());
  files = [...(files ?? ran)].filter((file) => ran.has(file));
}
process.stdout.write(`${JSON.stringify(files?.sort())}\n`);
await server.close();
process.exit(0);

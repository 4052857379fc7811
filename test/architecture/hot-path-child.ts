import { Session } from 'node:inspector/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { startServer } from '../../src/server.js';
import { newAccount } from '../support/accounts.js';
import { postJson } from '../support/post-json.js';

// Prints, as a JSON list, the source files that run for one paid request in embedded mode. hot-path.test.ts starts this
// program with the name of the operation; the environment names the stores.
/** Time without requests. Each timer of 250 ms runs several times in this time. */
const TIMERS_MS = 2000;
const folder = new URL('../../src/', import.meta.url).href;

const config = readConfig(process.env);
const { apiKey } = await newAccount(config.databaseUrl, 'live', 1000);

const server = await startServer(config, 2);

const [, , name, most] = process.argv;
const operation = OPERATIONS.find((one) => one.name === name);
if (operation === undefined) throw new Error(`there is no operation ${name}`);
const { path, example } = operation;
async function request() {
  const answer = await postJson(`${server.address}${path}`, apiKey, example);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
}

/** The answer of a profiler to `takePreciseCoverage`. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
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

/** The functions that ran since the last call, each with its source file without the extension. */
async function takeFunctions(): Promise<Map<string, string>> {
  const ran = new Map<string, string>();
  for (const post of profilers) {
    for (const { url, functions } of (await post('Profiler.takePreciseCoverage')).result) {
      if (!url.startsWith(folder)) continue;
      const file = url.slice(folder.length).replace(/\.[jt]s(\?.*)?$/, '');
      for (const { functionName, ranges } of functions) {
        const [whole] = ranges;
        if (whole && whole.count > 0) ran.set(`${file} ${functionName} ${whole.startOffset}`, file);
      }
    }
  }
  return ran;
}

// Functions that run without a request belong to timers of 250 ms. On a slow machine, these timers also run during each
// request.
await takeFunctions();
await sleep(TIMERS_MS);
const ofTimers = await takeFunctions();

// A file that does not run in every request belongs to a longer timer. The program stops when it has found as few files
// as the second argument says.
const enough = Number(most);
let files: string[] | undefined;
for (let call = 0; call < 60 && (files?.length ?? Number.POSITIVE_INFINITY) > enough; call++) {
  await takeFunctions();
  await request();
  const functions = [...(await takeFunctions())].filter(([name]) => !ofTimers.has(name));
  const ran = new Set(functions.map(([, file]) => file));
  files = [...(files ?? ran)].filter((file) => ran.has(file));
}
process.stdout.write(`${JSON.stringify(files?.sort())}\n`);
await server.close();
process.exit(0);

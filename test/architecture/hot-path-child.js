// Prints the source files that run for one paid request in embedded mode, as a JSON list. Started by
// hot-path.test.ts with the folder of the service's modules; the environment names the stores.
import { Session } from 'node:inspector/promises';

const folder = process.argv[2];
const extension = folder.endsWith('/dist/src/') ? 'js' : 'ts';
const load = (module) => import(`${folder}${module}.${extension}`);

const { openDatabase } = await load('database/open');
const { createAccount } = await load('accounts/accounts');
const { createKey } = await load('accounts/keys');
const { grantCredits } = await load('accounts/credits');
const { readConfig } = await load('config');
const { startServer } = await load('server');

const config = readConfig(process.env);
const db = await openDatabase(config.databaseUrl);
const { id } = await createAccount(db, 'one');
const { apiKey } = await createKey(db, id, 'live');
await grantCredits(db, id, 'live', 100);
await db.destroy();

const server = await startServer(config, 2);

async function predict() {
  const answer = await fetch(`${server.address}/v1/predict`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ measurement: 'Stature', gender: 'Female', age: 30, percentile: 95 }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
}

/** The profilers of this thread and of all worker threads. */
async function connectProfilers() {
  const session = new Session();
  session.connect();
  const post = (method, params) => session.post(method, params);
  const workers = [];
  const waiting = new Map();
  session.on('NodeWorker.attachedToWorker', ({ params }) => workers.push(params.sessionId));
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { id: number, result } = JSON.parse(params.message);
    waiting.get(number)?.(result);
  });
  await post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  let asked = 0;
  const postTo = (sessionId) => (method, params) =>
    new Promise((resolve) => {
      const message = JSON.stringify({ id: ++asked, method, params });
      waiting.set(asked, resolve);
      void post('NodeWorker.sendMessageToWorker', { sessionId, message });
    });
  return [post, ...workers.map(postTo)];
}

// The first requests fill the caches.
for (let call = 0; call < 5; call++) await predict();
const profilers = await connectProfilers();
for (const post of profilers) {
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
}

/** The source files that ran since the last call, without their extensions. */
async function takeFiles() {
  const scripts = [];
  for (const post of profilers) {
    scripts.push(...(await post('Profiler.takePreciseCoverage')).result);
  }
  return scripts
    .filter(({ url }) => url.startsWith(folder))
    .filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0))
    .map(({ url }) => url.slice(folder.length).replace(/\.[jt]s(\?.*)?$/, ''));
}

// A file that does not run in every request belongs to a timer.
let files;
for (let call = 0; call < 5; call++) {
  await takeFiles();
  await predict();
  const ran = new Set(await takeFiles());
  files = [...(files ?? ran)].filter((file) => ran.has(file));
}
process.stdout.write(`${JSON.stringify(files.sort())}\n`);
await server.close();
process.exit(0);

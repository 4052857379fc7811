import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { BoundedMap } from '../core/bounded-map.js';
import { handOverMappings, loadMapping, viewMappings } from '../lookup/map-file.js';
import { openArtifact } from '../lookup/open-artifact.js';
import { PredictionModel } from '../operations/prediction-model.js';
import { systemThreadId } from '../request/queue.js';
import { Calls, textOf } from './calls.js';
import type { OfPages, OfService, PageContext, PageThreadOptions } from './messages.js';
import { buildPageApp } from './page-app.js';

// The thread of the pages: see `page-thread.ts`.

/** Maximum number of open models: the current version and the one before it. */
const MODELS_MAX = 2;
/**
 * Niceness of this thread on Linux, so that the event loop goes first (nice(2)). The pool has the same value.
 */
const NICE = 10;

if (parentPort === null) throw new Error('this file is a thread of the service');
const port = parentPort;
const { artifactsDir, env, rateLimitMax, store } = workerData as PageThreadOptions;

const threadId = systemThreadId();
if (threadId !== 0) setPriority(threadId, NICE);

const models = new BoundedMap<string, PredictionModel>(MODELS_MAX);
let context: PageContext = { artifactVersion: '', origin: '', pictureSecrets: [] };

function modelInUse(): PredictionModel {
  const { artifactVersion } = context;
  const model =
    models.get(artifactVersion) ?? new PredictionModel(openArtifact(artifactsDir, artifactVersion));
  models.set(artifactVersion, model);
  return model;
}

/** Ends after one more turn of the event loop than the turns that began before. */
let lastTurn: Promise<unknown> = Promise.resolve();
function turn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}

const calls = new Calls<OfService>(port, {
  async answer({ request, context: current, mapped }, left) {
    // One request begins per turn of the event loop, after all messages. So requests of lost clients are skipped.
    await turn();
    left.throwIfAborted();
    context = current;
    viewMappings(mapped);
    return (await pages).answer(request, left);
  },
  close() {
    port.close();
    void pages.then((app) => app.close());
  },
} satisfies OfPages);

handOverMappings((mapping) => calls.tell('mapped', mapping));
loadMapping();

const pages = buildPageApp({
  ...{ env, rateLimitMax, store },
  computer: { compute: (task, left) => calls.call('compute', task, left) },
  log: {
    error({ err, ...details }: { err?: unknown }, message: string): void {
      const error = err instanceof Error ? { err: textOf(err) } : {};
      calls.tell('fault', { details: { ...details, ...error }, message });
    },
  },
  model: modelInUse,
  publicUrl: () => context.origin,
  pictureSecrets: () => context.pictureSecrets,
  offers: () => context.offers ?? [],
});
await pages;

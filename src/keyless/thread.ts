import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { BoundedMap } from '../core/bounded-map.js';
import { handOverMappings, loadMapping, viewMappings } from '../lookup/map-file.js';
import { openArtifact } from '../lookup/open-artifact.js';
import { PredictionModel } from '../operations/prediction-model.js';
import { ComputeError, type Computer } from '../request/pool.js';
import { systemThreadId } from '../request/queue.js';
import type { ComputeResult } from '../request/tasks.js';
import type { FromThread, PageContext, PageThreadOptions, ToThread } from './messages.js';
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
const tell = (message: FromThread): void => port.postMessage(message);

const threadId = systemThreadId();
if (threadId !== 0) setPriority(threadId, NICE);
handOverMappings((mapping) => tell({ kind: 'mapped', mapping }));
loadMapping();

/** Computations that the service does for this thread. */
const computations = new Map<
  number,
  { resolve(result: ComputeResult): void; reject(error: Error): void }
>();
let lastComputation = 0;

const computer: Computer = {
  compute(task, left) {
    const computation = ++lastComputation;
    const leave = () => tell({ kind: 'leave', computation });
    left?.addEventListener('abort', leave, { once: true });
    return new Promise<ComputeResult>((resolve, reject) => {
      computations.set(computation, { resolve, reject });
      tell({ kind: 'compute', computation, task });
      if (left?.aborted === true) leave();
    }).finally(() => {
      computations.delete(computation);
      left?.removeEventListener('abort', leave);
    });
  },
};

const models = new BoundedMap<string, PredictionModel>(MODELS_MAX);
let context: PageContext = { artifactVersion: '', origin: '', pictureSecrets: [] };

function modelInUse(): PredictionModel {
  const { artifactVersion } = context;
  const model =
    models.get(artifactVersion) ?? new PredictionModel(openArtifact(artifactsDir, artifactVersion));
  models.set(artifactVersion, model);
  return model;
}

const log = {
  error({ err, ...details }: { err?: unknown }, message: string): void {
    // An error loses its class on the way to another thread. So its text is sent.
    const error = err instanceof Error ? { err: err.stack } : {};
    tell({ kind: 'fault', details: { ...details, ...error }, message });
  },
};

const pages = await buildPageApp({
  ...{ env, rateLimitMax, store, computer, log },
  model: modelInUse,
  publicUrl: () => context.origin,
  pictureSecrets: () => context.pictureSecrets,
  offers: () => context.offers ?? [],
});

type Job = Extract<ToThread, { kind: 'request' }>;

/** Requests that have not begun. `leaving` has an entry for every request that is not answered. */
const waiting: Job[] = [];
const leaving = new Map<number, AbortController>();

async function answer({ job, request, context: current, mapped }: Job): Promise<void> {
  const left = leaving.get(job) as AbortController;
  try {
    if (left.signal.aborted) return;
    context = current;
    viewMappings(mapped);
    const answered = await pages.answer(request, left.signal);
    const { buffer, byteLength } = answered.body;
    // A long text is moved to the other thread. A short text may share its memory with others, so it is
    // copied.
    const moved = byteLength === buffer.byteLength ? [buffer as ArrayBuffer] : [];
    port.postMessage({ kind: 'answer', job, answer: answered } satisfies FromThread, moved);
  } catch (error) {
    if (left.signal.aborted) return;
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    tell({ kind: 'failed', job, message });
  } finally {
    leaving.delete(job);
  }
}

/** Begins one request per turn of the event loop, after all messages. So it skips requests with lost clients. */
function begin(): void {
  const next = waiting.shift();
  if (next !== undefined) void answer(next);
  if (waiting.length > 0) setImmediate(begin);
}

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'request':
      leaving.set(message.job, new AbortController());
      if (waiting.push(message) === 1) setImmediate(begin);
      break;
    case 'left':
      leaving.get(message.job)?.abort();
      break;
    case 'computed':
      computations.get(message.computation)?.resolve(message.result);
      break;
    case 'not computed': {
      const { reason, message: text } = message;
      const error = reason === undefined ? new Error(text) : new ComputeError(reason);
      computations.get(message.computation)?.reject(error);
      break;
    }
    case 'close':
      port.close();
      void pages.close();
  }
});

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../core/errors.js';
import type { AnswerOf, Operation } from '../../operations/operation.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { answerJson, validateRequest } from '../../operations/validate.js';
import { estimatedWorkMs } from '../../operations/work.js';
import { ComputeError, type Computer } from '../../request/pool.js';
import type { ComputeTask } from '../../request/tasks.js';
import {
  type AnyPicture,
  PICTURE_TYPES,
  PictureAddresses,
  type PictureForm,
} from '../../site/pictures/addresses.js';
import { FileStore, type StoreOptions } from '../../site/pictures/file-store.js';
import {
  type MadePicture,
  type PictureTask,
  pictureMs,
  storeKey,
} from '../../site/pictures/make-picture.js';
import type { ExactCall } from './data-types.js';
import {
  type BodySurface,
  type BodyToShow,
  type OneOfSeveral,
  type SeveralRequests,
  SHOW_BODY_MS,
  type ShownBody,
} from './page-tasks.js';
import { SharedWork } from './shared-work.js';
import { addressLimits, type CountRequest } from './visitor-limits.js';

/** The functions that a thread calls for pages. */
const PAGE_TASKS = new URL(
  `./page-tasks.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
  import.meta.url,
).href;

/**
 * The free computations of an address count by their estimated processor time, in steps of so many ms. The limits of a
 * minute and of a day are 45 s and 20 min: enough for dragging, and too little for copying the data.
 */
const STEP_MS = 500;
/** Steps per address and minute, and per day. */
export const [FREE_STEPS_PER_MINUTE, FREE_STEPS_PER_DAY] = [90, 2400] as const;

/** Dependencies of free computations. */
export interface FreeParts {
  /** The model to answer from; asked once per request. */
  readonly model: () => PredictionModel;
  /** Computes beside the event loop. */
  readonly computer: Computer;
  /** The values of the secret that sign addresses of pictures and count now; the first one signs. */
  readonly pictureSecrets: () => readonly string[];
  /** Where people and pictures are kept on disk; absent if they are not. */
  readonly store?: StoreOptions | undefined;
}

/** Requests of an operation: its bodies. */
type FreeRequests = readonly [operation: Operation, bodies: readonly object[]];

/** For each request, the answer or the problem of the API, under the names of the lists. */
type AnswersOf<Lists extends Readonly<Record<string, FreeRequests>>> = {
  readonly [Name in keyof Lists]: readonly (AnswerOf<Lists[Name][0]> | Problem)[];
};

/** Asks operations of the API for a page. Nothing is charged. */
export interface FreeAnswers {
  /** Addresses of the pictures that `picture` makes. */
  readonly addresses: PictureAddresses;
  /** Whether the model has bodies to draw. */
  hasBodies(): boolean;
  /** Whether no page computes at this moment. */
  isIdle(): boolean;
  /** Estimated processor time of a request so far, ms. Kept answers take none. */
  workMsOf(left: AbortSignal): number;
  /**
   * Keeps the answers for a request on disk. The caller knows that nobody typed anything into it.
   *
   * @param left the signal of the request
   */
  keepOnDisk(left: AbortSignal): void;
  /**
   * The answer of an operation, as the API gives it.
   *
   * @param left aborted when nobody waits for the answer any more
   * @throws Problem of the API, or `service_busy` if too many computations wait
   */
  answer<Asked extends Operation>(
    operation: Asked,
    body: object,
    left?: AbortSignal,
  ): Promise<AnswerOf<Asked>>;
  /**
   * The answers to several lists of requests. One thread computes all of them in one turn, so a view waits only once.
   *
   * @throws Problem `service_busy` if too many computations wait
   */
  answers<const Lists extends Readonly<Record<string, FreeRequests>>>(
    lists: Lists,
    left?: AbortSignal,
  ): Promise<AnswersOf<Lists>>;
  /**
   * A picture of a person. Pictures are stored, and a stored picture needs no computation. A picture that nobody waits
   * for any more is not begun.
   *
   * @param admit called before a picture is made; the picture is not made if it throws
   * @throws Problem `service_busy` if too many computations wait, `computation_too_large` if the picture took too long
   */
  picture(
    picture: AnyPicture,
    form: PictureForm,
    admit?: () => Promise<void>,
    left?: AbortSignal,
  ): Promise<MadePicture>;
  /**
   * The light body of a person. Bodies are cached, and a cached body needs no computation.
   *
   * @throws Problem of the operation `body`, or `service_busy` if too many computations wait
   */
  body(request: BodyToShow): Promise<ShownBody>;
  /**
   * The triangles of light bodies. They are the same for all people.
   *
   * @throws Problem `model_not_found` if the artifact has no bodies
   */
  surface(): Promise<BodySurface>;
}

/** Free answers, and the limits for each address. */
export interface FreeComputations extends FreeAnswers {
  /** Counts a request before it computes, as one step. */
  readonly count: CountRequest;
  /** Counts the further steps that a request took. */
  spend(request: FastifyRequest, left: AbortSignal): Promise<void>;
}

/** Maximum number of characters of stored pictures. About 2,000 pictures fit. */
const PICTURES_CHARS = 16 * 1024 * 1024;

/** A picture that takes more than this many times its estimated processor time ends. */
const PICTURE_PATIENCE = 4;

/** Most pictures that wait. Each takes a fraction of a second. */
const PICTURES_WAITING_MAX = 64;

/** Maximum number of characters of cached answers. They are enough for some hundred views. */
const ANSWERS_CHARS = 4 * 1024 * 1024;

/** Maximum number of characters of cached bodies. About 50 bodies fit. */
const BODIES_CHARS = 4 * 1024 * 1024;

/** Maximum estimated processor time of all computations of a request, ms. The largest ordinary views need half of it. */
export const REQUEST_WORK_MS_MAX = 10_000;

/** Prepares free computations; the scope needs `@fastify/rate-limit`. */
export function freeComputations(app: FastifyInstance, free: FreeAnswers): FreeComputations {
  const count = addressLimits(app, {
    perMinute: FREE_STEPS_PER_MINUTE,
    perDay: FREE_STEPS_PER_DAY,
    allowed: (steps) => `use at most ${(steps * STEP_MS) / 1000} seconds of free computing`,
  });
  return {
    ...free,
    count,
    async spend(request, left) {
      const steps = Math.floor(free.workMsOf(left) / STEP_MS);
      if (steps > 0) await count(request, steps);
    },
  };
}

/** Prepares free answers. All pages share the caches of answers, bodies and drawings. */
export function freeAnswers({ model, computer, pictureSecrets, store }: FreeParts): FreeAnswers {
  const keptTexts = (maxSize: number) =>
    new LRUCache<string, string>({ maxSize, sizeCalculation: ({ length }) => length });
  const computedAnswers = keptTexts(ANSWERS_CHARS);
  const bodies = keptTexts(BODIES_CHARS);
  const pictures = keptTexts(PICTURES_CHARS);
  /** Pictures that are being made or wait for their turn, as JSON. */
  const inMaking = new SharedWork<string>();
  /** Ends with the last picture. Pictures wait here, because only few free computations may wait in the pool. */
  let lastPicture: Promise<unknown> = Promise.resolve();
  /** Computations that wait or run. */
  let underWay = 0;
  /** Estimated work of each request so far, by the signal of its client. */
  const workMs = new WeakMap<AbortSignal, number>();
  /** The signals of requests whose answers are kept on disk. */
  const keptOnDisk = new WeakSet<AbortSignal>();
  const onDisk = (key: string) => storeKey(model().artifactVersion, key);
  const filesOf = (left: AbortSignal | undefined) =>
    store && left && keptOnDisk.has(left) ? FileStore.at(store) : undefined;
  const knownAnswer = (key: string, left: AbortSignal | undefined): string | undefined =>
    computedAnswers.get(key) ?? filesOf(left)?.get(onDisk(key))?.toString();
  const keepAnswer = (key: string, json: string, left: AbortSignal | undefined): void => {
    computedAnswers.set(key, json);
    filesOf(left)?.set(onDisk(key), Buffer.from(json));
  };

  /** The answer of a thread, as JSON. */
  async function computed(task: ComputeTask, left?: AbortSignal): Promise<string> {
    const count = (ms = 0) => {
      const sumMs = left === undefined ? 0 : (workMs.get(left) ?? 0) + ms;
      if (sumMs > REQUEST_WORK_MS_MAX) throw new Problem('computation_too_large', TOO_MUCH);
      if (left !== undefined) workMs.set(left, sumMs);
    };
    count(task.estimateMs);
    underWay += 1;
    const result = await computer
      .compute(task, left)
      .catch((error: unknown) => {
        if (!(error instanceof ComputeError)) throw error;
        // What was not begun took nothing.
        if (error.reason === 'full' || error.reason === 'waited') count(-(task.estimateMs ?? 0));
        throw error.reason === 'too_long'
          ? new Problem('computation_too_large', TOO_LONG)
          : new Problem('service_busy', BUSY);
      })
      .finally(() => {
        underWay -= 1;
      });
    if (result.kind === 'problem') throw new Problem(result.code, result.sentence, result.extras);
    if (result.kind !== 'answer') throw new Error(`a free computation ended as ${result.kind}`);
    return result.json;
  }

  const validated = (operation: Operation, body: object) => {
    const input = validateRequest(operation, body) as object;
    const isQuick = operation.isQuick?.(input as never) === true;
    return { operation, input, isComputed: operation.computed === true && !isQuick };
  };
  const direct = (operation: Operation, input: object): object =>
    JSON.parse(answerJson(operation, operation.run(input as never, model())));
  const keyOf = (name: string, input: object): string =>
    JSON.stringify([model().artifactVersion, name, input]);
  /** What a function of `page-tasks.ts` makes, as JSON. */
  async function made(
    operation: 'answerSeveral' | 'bodySurface' | 'makePicture' | 'showBody',
    input: object,
    estimateMs: number,
    used: PredictionModel,
    left?: AbortSignal,
    more?: Pick<ComputeTask, 'limitMs' | 'goesOn'>,
  ): Promise<string> {
    const { artifactVersion } = used;
    const task = { operation, module: PAGE_TASKS, input, artifactVersion, account: NOBODY };
    return computed({ ...task, estimateMs, ...more }, left);
  }
  /** Makes one picture after the other. */
  function inTurn(task: PictureTask, left: AbortSignal): Promise<string> {
    const estimateMs = pictureMs(task);
    const json = lastPicture.then(() => {
      if (left.aborted) throw new Problem('service_busy', BUSY);
      const more = { limitMs: PICTURE_PATIENCE * estimateMs, goesOn: true };
      return made('makePicture', task, estimateMs, model(), left, more);
    });
    lastPicture = json.catch(() => undefined);
    return json;
  }
  /** A body for a page, or the surface of bodies, from the cache if possible. */
  async function kept<Made>(operation: 'bodySurface' | 'showBody', input: object): Promise<Made> {
    const key = keyOf(operation, input);
    const json = bodies.get(key) ?? (await made(operation, input, SHOW_BODY_MS, model()));
    bodies.set(key, json);
    return JSON.parse(json) as Made;
  }

  return {
    addresses: new PictureAddresses(() => model().artifactVersion, pictureSecrets),
    hasBodies: () => model().hasBodies,
    isIdle: () => underWay === 0,
    workMsOf: (left) => workMs.get(left) ?? 0,
    keepOnDisk: (left) => void keptOnDisk.add(left),
    async answer<Asked extends Operation>(operation: Asked, body: object, left?: AbortSignal) {
      const { input, isComputed } = validated(operation, body);
      if (!isComputed) return direct(operation, input) as AnswerOf<Asked>;
      const { artifactVersion } = model();
      const key = keyOf(operation.name, input);
      const known = knownAnswer(key, left);
      if (known !== undefined) return JSON.parse(known);
      const estimateMs = estimatedWorkMs(operation, input);
      const { name } = operation;
      const task = { operation: name, input, artifactVersion, account: NOBODY, estimateMs };
      const json = await computed(task, left);
      keepAnswer(key, json, left);
      return JSON.parse(json);
    },
    async answers<const Lists extends Readonly<Record<string, FreeRequests>>>(
      lists: Lists,
      left?: AbortSignal,
    ) {
      const asked = Object.entries(lists).flatMap(([list, [operation, bodies]]) =>
        bodies.map((body) => {
          const valid = unlessProblem(() => validated(operation, body));
          if (valid instanceof Problem) return { list, answer: valid };
          const { input, isComputed } = valid;
          if (!isComputed) return { list, answer: unlessProblem(() => direct(operation, input)) };
          const key = keyOf(operation.name, input);
          const known = knownAnswer(key, left);
          if (known !== undefined) return { list, answer: JSON.parse(known) as object };
          return { list, waiting: { operation, input, key } };
        }),
      );
      const waiting = asked.flatMap((one) => one.waiting ?? []);
      const several: SeveralRequests = {
        requests: waiting.map(({ operation, input }) => ({ operation: operation.name, input })),
      };
      const estimates = waiting.map(({ operation, input }) => estimatedWorkMs(operation, input));
      const workMs = estimates.reduce((sum, ms) => sum + ms, 0);
      const parts: OneOfSeveral[] =
        waiting.length === 0
          ? []
          : JSON.parse(await made('answerSeveral', several, workMs, model(), left));
      const computedOf = (place: number): object => {
        const part = parts[place] as OneOfSeveral;
        if ('problem' in part) {
          return new Problem(part.problem.code, part.problem.sentence, part.problem.extras);
        }
        keepAnswer((waiting[place] as { key: string }).key, JSON.stringify(part.answer), left);
        return part.answer;
      };
      const found = Object.fromEntries(Object.keys(lists).map((list) => [list, [] as object[]]));
      let place = 0;
      for (const { list, answer } of asked) found[list]?.push(answer ?? computedOf(place++));
      return found as unknown as AnswersOf<Lists>;
    },
    body: (input) => kept<ShownBody>('showBody', input),
    surface: () => kept<BodySurface>('bodySurface', {}),
    async picture(picture, form, admit, left) {
      const isOwn = 'isOwn' in picture && picture.isOwn === true;
      const task: PictureTask = { picture, form, store: isOwn ? undefined : store };
      const [key, ofPlaces] = [form, 'json'].map((one) =>
        keyOf('makePicture', { picture, form: one }),
      ) as [string, string];
      const files = task.store && FileStore.at(task.store);
      const known = pictures.get(key) ?? files?.get(onDisk(key))?.toString();
      if (known !== undefined) {
        pictures.set(key, known);
        return JSON.parse(known) as MadePicture;
      }
      if (!inMaking.has(key)) await admit?.();
      const isFull = !inMaking.has(key) && inMaking.size >= PICTURES_WAITING_MAX;
      if (isFull || left?.aborted === true) throw new Problem('service_busy', BUSY);
      const json = await inMaking.resultOf(key, (all) => inTurn(task, all), left);
      const { places, ...own } = JSON.parse(json) as MadePicture;
      const keep = (text: string, picture: MadePicture) => {
        const json = JSON.stringify(picture);
        pictures.set(text, json);
        // A silhouette in place of pixels must not outlive the fault that caused it.
        if (own.type === PICTURE_TYPES[form]) files?.set(onDisk(text), Buffer.from(json));
      };
      keep(key, own);
      if (places !== undefined) keep(ofPlaces, places);
      return own;
    },
  };
}

function unlessProblem<Result>(make: () => Result): Result | Problem {
  try {
    return make();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/**
 * Answers of which none may be refused.
 *
 * @throws Problem the first one of the list
 */
export function allAnswered<Answer>(found: readonly (Answer | Problem)[]): readonly Answer[] {
  for (const one of found) if (one instanceof Problem) throw one;
  return found as readonly Answer[];
}

const NOBODY = { id: 'pages', priority: 'free' } as const;

const BUSY = 'Many people are computing at this moment. Please wait a few seconds.';
const TOO_MUCH =
  'This view needs too many computations. Choose fewer populations, fewer countries or fewer ages.';
const TOO_LONG =
  'The computation took too long. Try again in a minute, or choose fewer countries or fewer ages.';

/**
 * A call of the API with its price, as a page shows it.
 *
 * @param body the request with its lists; it is not validated
 */
export function exactCallOf(
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
): ExactCall {
  const { name, path } = operation;
  return { operation: name, path, credits: operation.cost(body as never), body };
}

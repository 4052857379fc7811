import Type, { type Static } from 'typebox';
import { ERRORS, type ErrorCode, fault, Problem, problemBody } from '../core/errors.js';
import {
  BATCH_BODY_BYTES_MAX,
  BATCH_LIMITS,
  BATCH_PER_HIT,
  BATCH_REFUSAL_BYTES_MAX,
  TOOL_ANSWER_BYTES_MAX,
} from '../core/limits.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import type { FoundFault } from './faults.js';
import { answerFields, closedObject, paidAnswer } from './fields.js';
import { batchForm, defineOperation, type Operation } from './operation.js';
import { LARGEST_POPULATION } from './population-request.js';
import type { PredictionModel } from './prediction-model.js';
import { answerJson, requestFaults } from './validate.js';
import { checkWork, estimatedWorkMs, WORK_MS_MAX } from './work.js';

const COMPUTED_MAX = BATCH_LIMITS.computed;
/** Maximum estimate for all computations of a batch together, in ms. They run one after the other. */
const BATCH_WORK_MS_MAX = 10_000;

/** Work of a refused computation, in ms. Its body may have 50 kB, and its faults must be found again. */
const REFUSED_MS = 30;

/** Operations that a batch cannot contain. */
const NOT_IN_BATCHES: readonly string[] = ['sample_people'];

const entry = closedObject({
  id: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Your name of the request; the answer repeats it.',
    }),
  ),
  operation: Type.String({
    maxLength: 80,
    description: 'Name of an operation, such as predict.',
  }),
  input: Type.Object({}, { description: 'Body of the request, as its own route takes it.' }),
});

/** A request with at most so many entries. */
const requestOf = (maxItems: number, more = '') =>
  closedObject({
    requests: Type.Array(entry, {
      minItems: BATCH_LIMITS.minItems,
      maxItems,
      description: `Requests of any operations but batch, bodies and ${NOT_IN_BATCHES.join(', ')}; at most ${COMPUTED_MAX} about populations or whole people.${more}`,
    }),
  });

const request = requestOf(BATCH_LIMITS.maxItems);

const response = paidAnswer({
  answers: Type.Array(
    Type.Object({
      id: Type.Optional(answerFields.text('Your name of the request.')),
      status: answerFields.number('HTTP status that the route of the operation would have.'),
      body: Type.Object({}, { additionalProperties: true, description: 'Answer or problem.' }),
    }),
    { description: 'One answer per request, in the order asked.' },
  ),
  charged: answerFields.number('Credits or free calls that the answers cost together.'),
});

/**
 * POST /v1/batch: many requests in one request, charged in one step.
 *
 * @param operations the operations that a batch may contain
 */
export function batchOf(operations: readonly Operation[]) {
  const allowed = new Map(
    operations
      .filter(({ name }) => !NOT_IN_BATCHES.includes(name))
      .map((one) => [one.name, batchForm(one)]),
  );
  /** Price of each batch, and its work in ms. They are stored when its entries are validated. */
  const known = new WeakMap<object, { readonly cost: number; readonly workMs: number }>();
  return defineOperation({
    name: 'batch',
    path: '/v1/batch',
    title: 'Batch',
    description: `Up to ${BATCH_LIMITS.maxItems} requests of any operations in one, charged in one step.`,
    toolRequest: requestOf(
      BATCH_LIMITS.toolItems,
      ` All answers together fit ${TOOL_ANSWER_BYTES_MAX} bytes, such as ${BATCH_LIMITS.toolItems} of predict.`,
    ),
    toolDescription: `Send up to ${BATCH_LIMITS.toolItems} requests at once: each names an operation and its input. A refused request does not stop the others; none can use another's answer.`,
    toolPrice: `Counts as one request per ${BATCH_PER_HIT} against the rate limit. Costs the sum of its answers, nothing for refused ones.`,
    command: { name: 'batch', summary: 'many requests at once' },
    price: 'the sum of the answers',
    computed: true,
    bodyBytesMax: BATCH_BODY_BYTES_MAX,
    request,
    response,
    example: {
      requests: [
        {
          id: 'seat',
          operation: 'predict',
          input: { measurement: 'PoplitealHeight', gender: 'Female', age: 30, percentile: 5 },
        },
        {
          id: 'door',
          operation: 'predict',
          input: { measurement: 'Stature', gender: 'Male', age: 30, percentile: 150 },
        },
      ],
    },
    refusals: {
      computation_too_large: {
        requests: Array.from({ length: 3 }, () => ({
          operation: 'population_percentiles',
          input: {
            population: LARGEST_POPULATION,
            measurements: MEASUREMENT_NAMES.slice(0, 30),
            percentiles: [50],
          },
        })),
      },
    },
    check({ requests }): FoundFault[] {
      const computed = requests.filter(
        ({ operation }) => allowed.get(operation)?.computed === true,
      );
      if (computed.length <= COMPUTED_MAX) return [];
      const at = fault('/requests');
      return [
        at`A batch may have at most ${COMPUTED_MAX} requests about populations or whole people, not ${computed.length}. Send the others in another batch.`,
      ];
    },
    // A thousand requests about one cell take 5 ms. Requests for evidence take longer.
    isQuick: ({ requests }) =>
      requests.every(({ operation }) => {
        const one = allowed.get(operation);
        return one === undefined || isAboutOneCell(one);
      }),
    hits: ({ requests }) => Math.ceil(requests.length / BATCH_PER_HIT),
    work: {
      ms: (input) => priced(input).workMs,
      mostMs: BATCH_WORK_MS_MAX,
      less: 'fewer or smaller computations in one batch',
    },
    /** The maximum price: the sum over all valid requests. */
    cost: (input) => priced(input).cost,
    charged: ({ charged }) => charged,
    run,
    json: (answer) => {
      const entries = answer instanceof WrittenAnswer ? answer.entries : '';
      return `{"answers":[${entries}],"charged":${answer.charged}}`;
    },
  });

  function priced(input: Static<typeof request>) {
    let price = known.get(input);
    if (price !== undefined) return price;
    let [cost, workMs] = [0, 0];
    for (const { operation: name, input: body } of input.requests) {
      const operation = allowed.get(name);
      if (operation !== undefined && requestFaults(operation, body) === undefined) {
        const ms = estimatedWorkMs(operation, body);
        // A refused entry costs nothing and is no work.
        if (ms <= (operation.work?.mostMs ?? WORK_MS_MAX)) {
          workMs += ms;
          cost += operation.cost(body as never);
        }
      } else if (operation?.computed === true) workMs += REFUSED_MS;
    }
    price = { cost, workMs };
    known.set(input, price);
    return price;
  }

  function run(
    { requests }: Static<typeof request>,
    model: PredictionModel,
  ): Static<typeof response> {
    const texts: string[] = [];
    let latest: string[] = [];
    const refusals = new Refusals(requests.length);
    let charged = 0;
    for (const { id, operation: name, input } of requests) {
      const operation = allowed.get(name);
      let status = 200;
      let body: object;
      let text: string | undefined;
      const faults = operation && requestFaults(operation, input);
      try {
        if (operation === undefined) {
          status = 400;
          body = refusals.body(() => unknown(name), INVALID);
        } else if (faults !== undefined) {
          status = 400;
          body = refusals.body(() => faults.problem(), faults.code);
        } else {
          checkWork(operation, input);
          body = operation.run(input as never, model);
          // The answer is written as on its own route. This is three times as fast as writing objects of unknown shape.
          text = answerJson(operation, body);
          charged += operation.cost(input as never);
          refusals.notNeeded();
        }
      } catch (error) {
        const problem = error instanceof Problem ? error : inferenceError(error);
        status = problem.status;
        body = refusals.body(() => problem, problem.code);
      }
      const named = id === undefined ? '' : `"id":${JSON.stringify(id)},`;
      latest.push(`{${named}"status":${status},"body":${text ?? JSON.stringify(body)}}`);
      if (latest.length < JOINED) continue;
      texts.push(latest.join());
      latest = [];
    }
    if (latest.length > 0) texts.push(latest.join());
    return new WrittenAnswer(texts.join(), charged);
  }

  function unknown(name: string): Problem {
    const message = `${JSON.stringify(name)} is not an operation of a batch; use one of ${[...allowed.keys()].join(', ')}.`;
    return new Problem(INVALID, message);
  }
}

const INVALID = 'validation_error';

/** Whether an operation looks up one cell. `evidence` takes longer, so it does not count. */
function isAboutOneCell({ computed, outsideCatalog }: Operation): boolean {
  return computed !== true && outsideCatalog !== true;
}

/**
 * Number of entries whose texts are joined at once. Until then, each text is a tree of its parts, which takes more
 * memory.
 */
const JOINED = 16;

/** An answer as JSON text. Objects of all entries would take most of the memory of a batch. */
class WrittenAnswer {
  declare readonly answers: Static<typeof response>['answers'];
  declare readonly charged: number;
  readonly #entries: string;

  /** @param entries members of a JSON list */
  constructor(entries: string, charged: number) {
    this.#entries = entries;
    Object.defineProperty(this, 'answers', {
      enumerable: true,
      get: () => JSON.parse(`[${entries}]`),
    });
    this.charged = charged;
  }

  get entries(): string {
    return this.#entries;
  }
}

/** A fault of one entry does not affect the others. No other code learns of it, so the process reports it. */
function inferenceError(error: unknown): Problem {
  process.emitWarning(error instanceof Error ? error : String(error));
  const message = 'The prediction failed on our side. Nothing was charged for it.';
  return new Problem('inference_error', message);
}

/** The shortest possible refusal of an entry. Clients need a code and a text. */
const shortest = (code: string) => ({ code, detail: 'Send it alone.' });
const SHORTEST_BYTES = Math.max(
  ...Object.keys(ERRORS).map((code) => JSON.stringify(shortest(code)).length),
);
/** Size in bytes that a refusal with a sentence and no list usually needs. */
const USUAL_BYTES = 600;

/** The refusals of a batch. They are complete while there is room, and then as short as possible. */
class Refusals {
  /** Bytes left after reserving the shortest refusal for each further entry. */
  #left: number;

  constructor(entries: number) {
    this.#left = BATCH_REFUSAL_BYTES_MAX.all - entries * SHORTEST_BYTES;
  }

  /** Releases the room that was reserved for the refusal of an entry. */
  notNeeded(): void {
    this.#left += SHORTEST_BYTES;
  }

  /**
   * The body of one refusal.
   *
   * @param why makes the refusal; it is not called if there is no room
   */
  body(why: () => Problem, code: ErrorCode): object {
    const room = Math.min(BATCH_REFUSAL_BYTES_MAX.one, this.#left + SHORTEST_BYTES);
    if (room < USUAL_BYTES) return shortest(code);
    const { request_id: _, ...body } = problemBody(why(), '');
    const bytes = shorten(body, room);
    if (bytes > room) return shortest(code);
    this.#left -= bytes - SHORTEST_BYTES;
    return body;
  }
}

/** Removes faults from the end of the list until a refusal is short enough. Returns its size in bytes. */
function shorten(body: { errors?: unknown[]; errorsOmitted?: number }, bytesMax: number): number {
  const size = () => Buffer.byteLength(JSON.stringify(body));
  let bytes = size();
  while (bytes > bytesMax && body.errors !== undefined && body.errors.length > 0) {
    const kept = body.errors.slice(0, -1);
    body.errorsOmitted = (body.errorsOmitted ?? 0) + 1;
    if (kept.length > 0) body.errors = kept;
    else delete body.errors;
    bytes = size();
  }
  return bytes;
}

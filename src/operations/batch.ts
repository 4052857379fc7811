import Type, { type Static } from 'typebox';
import { type Fault, Problem, problemBody } from '../core/errors.js';
import { BATCH_BODY_BYTES_MAX, BATCH_LIMITS, BATCH_PER_HIT } from '../core/limits.js';
import { answerFields, remainingFreeCallsField } from './fields.js';
import { defineOperation, type Operation, shortForm } from './operation.js';
import { answerJson, validateRequest } from './validate.js';
import { estimatedWorkMs } from './work.js';

const COMPUTED_MAX = BATCH_LIMITS.computed;
/** Largest estimate of all computations of a batch together, in ms; they run one after the other. */
const BATCH_WORK_MS_MAX = 10_000;

/** Operations that a batch cannot contain. */
const NOT_IN_BATCHES: readonly string[] = ['sample_people'];

const entry = Type.Object(
  {
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
  },
  { additionalProperties: false },
);

const request = Type.Object(
  {
    requests: Type.Array(entry, {
      minItems: BATCH_LIMITS.minItems,
      maxItems: BATCH_LIMITS.maxItems,
      description: `Requests of any operations but batch and ${NOT_IN_BATCHES.join(', ')}; at most ${COMPUTED_MAX} about populations or whole people.`,
    }),
  },
  { additionalProperties: false },
);

const response = Type.Object({
  answers: Type.Array(
    Type.Object({
      id: Type.Optional(answerFields.text('Your name of the request.')),
      status: answerFields.number('HTTP status that the route of the operation would have.'),
      body: Type.Object({}, { additionalProperties: true, description: 'Answer or problem.' }),
    }),
    { description: 'One answer per request, in the order asked.' },
  ),
  charged: answerFields.number('Credits or free calls that the answers cost together.'),
  ...remainingFreeCallsField,
});

type Entry = Static<typeof entry>;

/**
 * POST /v1/batch: many requests in one, charged in one step.
 *
 * @param operations those that a batch may contain
 */
export function batchOf(operations: readonly Operation[]) {
  const allowed = new Map(
    operations
      .filter(({ name }) => !NOT_IN_BATCHES.includes(name))
      .map((one) => [one.name, shortForm(one)]),
  );
  /** The operation of each entry of an answer; undefined for a refused entry. */
  const operationsOf = new WeakMap<object, readonly (Operation | undefined)[]>();
  return defineOperation({
    name: 'batch',
    path: '/v1/batch',
    title: 'Batch',
    description: `Up to ${BATCH_LIMITS.maxItems} requests of any operations in one, charged in one step.`,
    toolDescription: `Send up to ${BATCH_LIMITS.maxItems} requests at once: each names an operation and its input. A refused request does not stop the others.`,
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
    refusals: {},
    check({ requests }): Fault[] {
      const computed = requests.filter(
        ({ operation }) => allowed.get(operation)?.computed === true,
      );
      if (computed.length <= COMPUTED_MAX) return [];
      const message = `A batch may have at most ${COMPUTED_MAX} requests about populations or whole people, not ${computed.length}. Send the others in another batch.`;
      return [{ pointer: '/requests', message }];
    },
    // A thousand requests about one cell take 5 ms; evidence takes longer.
    isQuick: ({ requests }) =>
      requests.every(({ operation }) => {
        const one = allowed.get(operation);
        return one?.computed !== true && one?.outsideCatalog !== true;
      }),
    hits: ({ requests }) => Math.ceil(requests.length / BATCH_PER_HIT),
    /** The highest price: that of all requests that are valid. */
    work: {
      ms: ({ requests }) => requests.reduce((sum, one) => sum + workOf(one), 0),
      mostMs: BATCH_WORK_MS_MAX,
      less: 'fewer or smaller computations in one batch',
    },
    cost: ({ requests }) => requests.reduce((sum, one) => sum + highestCost(one), 0),
    charged: ({ charged }) => charged,
    run({ requests }, model): Static<typeof response> {
      let charged = 0;
      const used: (Operation | undefined)[] = [];
      const answers = requests.map(({ id, operation: name, input }, i) => {
        try {
          const operation = operationOf(name);
          const valid = validateRequest(operation, input);
          const body = operation.run(valid as never, model);
          charged += operation.cost(valid as never);
          used[i] = operation;
          return id === undefined ? { status: 200, body } : { id, status: 200, body };
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          const { request_id: _, ...body } = problemBody(error, '');
          used[i] = undefined;
          const { status } = error;
          return id === undefined ? { status, body } : { id, status, body };
        }
      });
      const answer = { answers, charged };
      operationsOf.set(answer, used);
      return answer;
    },
    // Each body is written as the route of its operation writes it, which is three times as fast as
    // writing objects of unknown shape.
    json(answer) {
      const used = operationsOf.get(answer) ?? [];
      const entries = answer.answers.map(({ id, status, body }, i) => {
        const operation = used[i];
        const text = operation === undefined ? JSON.stringify(body) : answerJson(operation, body);
        const named = id === undefined ? '' : `"id":${JSON.stringify(id)},`;
        return `{${named}"status":${status},"body":${text}}`;
      });
      return `{"answers":[${entries.join(',')}],"charged":${answer.charged}}`;
    },
  });

  /** @throws Problem `validation_error` */
  function operationOf(name: string): Operation {
    const operation = allowed.get(name);
    if (operation !== undefined) return operation;
    const message = `${JSON.stringify(name)} is not an operation of a batch; use one of ${[...allowed.keys()].join(', ')}.`;
    throw new Problem('validation_error', message);
  }

  /** Refused requests are no work. */
  function workOf({ operation: name, input }: Entry): number {
    const operation = allowed.get(name);
    if (operation?.work === undefined) return 0;
    try {
      return estimatedWorkMs(operation, validateRequest(operation, input));
    } catch (error) {
      if (error instanceof Problem) return 0;
      throw error;
    }
  }

  function highestCost({ operation: name, input }: Entry): number {
    try {
      const operation = operationOf(name);
      return operation.cost(validateRequest(operation, input) as never);
    } catch (error) {
      if (error instanceof Problem) return 0;
      throw error;
    }
  }
}

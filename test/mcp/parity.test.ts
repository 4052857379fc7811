import fc from 'fast-check';
import { expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../../src/core/profiles.js';
import { MASS_UNITS, UNITS } from '../../src/core/units.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { callTool, REVISIONS } from '../support/mcp.js';
import type { Customer, Reply } from '../support/service.js';
import { AGE_LIMITED, WITHOUT_MODEL } from '../support/tiny-artifact.js';
import { useService } from '../support/use-service.js';

const RUNS = 200;

const nowMs = Date.now();
// The clock stands still, so the free calls of both customers become available again at the same time.
const service = useService({ clock: () => nowMs });

const measurement = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...MEASUREMENT_NAMES) },
  fc.constantFrom(WITHOUT_MODEL, AGE_LIMITED.measurement, 'FemaleChestCircumferenceBelowBreasts'),
);
const percentile = fc.double({ min: 1, max: 99, noNaN: true });

/** A valid value of each field. */
const FIELDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  measurement,
  anchorMeasurement: measurement,
  linkedMeasurement: measurement,
  gender: fc.constantFrom('Male', 'Female'),
  age: fc.double({ min: 0, max: 120, noNaN: true }),
  percentile,
  anchorPercentile: percentile,
  accommodationPercent: percentile,
  value: fc.double({ min: 100, max: 2500, noNaN: true }),
  percentiles: fc.uniqueArray(percentile, { minLength: 1, maxLength: 20 }),
  countries: fc.uniqueArray(fc.constantFrom(...COUNTRY_CODES), { minLength: 1, maxLength: 10 }),
  country: fc.constantFrom(...COUNTRY_CODES),
  unit: fc.constantFrom(...UNITS),
  massUnit: fc.constantFrom(...MASS_UNITS),
  clothing: fc.constantFrom(...CLOTHING_IDS),
  posture: fc.constantFrom(...POSTURE_IDS),
};

/** Values that both refuse, used now and then. MCP alone reads null, empty text and numbers as text. */
const BAD = fc.constantFrom<unknown>('x', 'y', 'z', 0, -1, 1e9, true, [], {}, [1, 1], '3 or so');

const operation = fc.constantFrom(...OPERATIONS.filter(({ computed }) => computed !== true));

/** A request of an operation. It is valid, or a field is missing, invalid or added. */
const call = operation.chain((chosen) => {
  const names = Object.keys(chosen.request.properties);
  const required = chosen.request.required as string[];
  const sound = fc.record(
    Object.fromEntries(names.map((name) => [name, FIELDS[name] ?? fc.constant('no such field')])),
    { requiredKeys: required },
  );
  const spoilt = fc
    .tuple(sound, fc.constantFrom(...names, 'unknown'), fc.oneof(BAD, fc.constant(undefined)))
    .map(([body, name, value]) => ({ ...body, [name]: value }));
  return fc.record({
    operation: fc.constant(chosen),
    body: fc.oneof({ weight: 2, arbitrary: sound }, spoilt),
    revision: fc.constantFrom(...REVISIONS),
    credits: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 5),
  });
});

/** An answer or refusal without the parts that differ between two equal requests. */
function essence(problem: Record<string, unknown>) {
  const { request_id, ...rest } = problem;
  expect(request_id).toMatch(/^req_/);
  return rest;
}

function overMcp({ status, body }: Reply) {
  expect(status).toBe(200);
  const { content, structuredContent, isError } = body.result;
  if (isError !== true) return { answer: structuredContent };
  expect(structuredContent).toBeUndefined();
  return { refusal: essence(JSON.parse(content[0].text)) };
}

const overRest = ({ status, body }: Reply) =>
  status === 200 ? { answer: body } : { refusal: saidOnce(essence(body)) };

/** A refusal of REST in the words of MCP: each sentence once, and the tool in place of the route. */
function saidOnce({ message, ...problem }: Record<string, unknown>) {
  expect(message).toBe(problem.detail);
  const detail = String(message);
  const errors = (problem.errors as { pointer: string; message: string }[] | undefined)?.map(
    ({ pointer, message: text }) =>
      detail.includes(text) ? { pointer } : { pointer, message: text },
  );
  const worded = { ...problem, ...(errors === undefined ? {} : { errors }) };
  return JSON.parse(JSON.stringify(worded).replaceAll('; GET / lists', '; get_catalog lists'));
}

it(`REST and MCP answer, refuse and charge alike in ${RUNS} random requests`, async () => {
  const rest = await service.customer();
  const mcp = await service.customer();
  const codes = new Set<string>();
  const grant = (to: Customer, credits: number) => (credits > 0 ? to.grant(credits) : undefined);
  await fc.assert(
    fc.asyncProperty(call, async ({ operation: { name, path }, body, revision, credits }) => {
      await Promise.all([grant(rest, credits), grant(mcp, credits)]);
      const asked = { name, arguments: body };
      const [one, other] = await Promise.all([
        service.post(path, body, rest.headers),
        callTool(service, revision, asked, mcp.headers),
      ]);
      codes.add(one.body.code ?? 'answered');
      expect(overMcp(other)).toEqual(overRest(one));
      expect(other.headers.ratelimit).toBe(one.headers.ratelimit);
      expect(await mcp.balance()).toBe(await rest.balance());
    }),
    { numRuns: RUNS, seed: 5 },
  );
  // The requests covered all intended cases.
  for (const code of [
    'answered',
    'validation_error',
    'unknown_measurement',
    'unknown_clothing',
    'unknown_posture',
    'insufficient_credits',
    'free_tier_exhausted',
    'model_not_found',
    'gender_not_supported',
    'value_out_of_range',
  ]) {
    expect(codes).toContain(code);
  }
});

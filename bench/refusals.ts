import { generateApiKey } from '../src/accounts/api-key.js';
import { predict } from '../src/operations/predict.js';
import { BODIES, median, type Plan } from './compare.js';
import type { Load } from './load.js';
import type { BenchServer } from './servers.js';
import type { Line } from './table.js';

/** A measurement with a spelling mistake, an unknown field, and an age outside the limits. */
const WRONG = [
  { measurement: 'Statur', gender: 'Female', age: 70, percentile: 95 },
  { measurement: 'SittingHeight', gender: 'Male', age: 30, percentile: 5, weight: 80 },
  { measurement: 'HandLength', gender: 'Female', age: 121, percentile: 50 },
].map((body) => JSON.stringify(body));

/** Compares the rate of refusals with the rate of answers, in alternating rounds. */
export async function refusalLines(
  load: Load,
  server: BenchServer,
  { rounds, seconds }: Plan,
): Promise<Line[]> {
  const url = server.address + predict.path;
  const { keys } = server;
  const unknown = keys.map((_, index) => generateApiKey('live', index));
  const rate = async (target: { keys: readonly string[]; bodies: readonly string[] }) => {
    const answers = await load.send({ url, ...target }, seconds);
    return { perSecond: answers.requestsPerSecond, refused: answers.failures / answers.requests };
  };
  const found: { field: number; key: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const answered = await rate({ keys, bodies: BODIES });
    const field = await rate({ keys, bodies: WRONG });
    const key = await rate({ keys: unknown, bodies: BODIES });
    if (answered.refused > 0 || field.refused < 1 || key.refused < 1) {
      throw new Error('a request was refused that should be answered, or the other way round');
    }
    found.push({
      field: field.perSecond / answered.perSecond,
      key: key.perSecond / answered.perSecond,
    });
  }
  return [
    {
      measure: 'refused ÷ answered, wrong field',
      value: median(found.map(({ field }) => field)),
      unit: '×',
      floor: 1,
    },
    {
      measure: 'refused ÷ answered, unknown key',
      value: median(found.map(({ key }) => key)),
      unit: '×',
      floor: 1,
    },
  ];
}

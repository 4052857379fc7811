import type { EdgeRequest } from './edge-requests.js';

// Faults that no answer may have.

type Json = Readonly<Record<string, unknown>>;

/** Fields whose numbers may be negative, because they are differences. */
const SIGNED = new Set(['difference', 'x', 'y', 'z', 'p5', 'p50', 'p95']);
const SHARES = new Set([
  ...['share', 'shareServed', 'betweenSizes', 'below', 'above', 'failsOnlyHere', 'accommodated'],
]);
/** Fields that rise in this order. */
const RISING = [
  ['low', 'expected', 'high'],
  ['low', 'median', 'high'],
  ['from', 'centre', 'to'],
  ['min', 'max'],
  ['minPercentile', 'maxPercentile'],
  ['lowerBound', 'upperBound'],
  ['ageMin', 'ageMax'],
];
/** Step of a rounded share. */
const STEP = 1e-5;
const ROUNDING = 1e-9;

/** Faults of an answer, one sentence each. The list is empty if the answer is plausible. */
export function faultsOf({ operation, input }: EdgeRequest, answer: object): string[] {
  const faults: string[] = [];
  look(answer as Json, '', faults);
  const own = OWN[operation.name];
  if (own !== undefined) faults.push(...own(answer as never, input as never));
  return faults;
}

function look(value: unknown, at: string, faults: string[]): void {
  if (value === null) faults.push(`${at} is null`);
  if (typeof value === 'number') {
    const name = at.slice(at.lastIndexOf('/') + 1);
    if (!Number.isFinite(value)) faults.push(`${at} is ${value}`);
    const isSigned = SIGNED.has(name) || /\/(centre|inertia)\/\d$/.test(at);
    if (value < 0 && !isSigned) faults.push(`${at} is ${value}, below zero`);
    if (value > 1 && SHARES.has(name)) faults.push(`${at} is ${value}, a share over 1`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const names of RISING) {
    const numbers = names.map((name) => (value as Json)[name]);
    if (numbers.some((number) => typeof number !== 'number')) continue;
    const isRising = numbers.every(
      (number, i) => i === 0 || (number as number) >= (numbers[i - 1] as number),
    );
    if (!isRising) faults.push(`${at}: ${names.join(' ≤ ')} does not hold: ${numbers.join(', ')}`);
  }
  for (const [name, inner] of Object.entries(value)) look(inner, `${at}/${name}`, faults);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

interface Judged {
  readonly below: number;
  readonly above: number;
  readonly failsOnlyHere: number;
}
interface Valued {
  readonly percentile: number;
  readonly value: number;
}

/** Values that do not rise with their percentiles. */
function unsorted(values: readonly Valued[]): string[] {
  const sorted = values.toSorted((a, b) => a.percentile - b.percentile);
  return sorted.flatMap((one, i) => {
    const before = sorted[i - 1];
    if (before === undefined || one.value >= before.value) return [];
    return [`P${one.percentile} is ${one.value}, less than P${before.percentile}, ${before.value}`];
  });
}

/** Faults of the answers of some operations. */
const OWN: Readonly<Record<string, (answer: never, input: never) => string[]>> = {
  predict_range: ({ values }: { values: Valued[] }) => unsorted(values),
  population_percentiles: ({ measurements }: { measurements: { values: Valued[] }[] }) =>
    measurements.flatMap(({ values }) => unsorted(values)),
  population_share({ share, limits }: { share: number; limits: Judged[] }) {
    const excluded = 1 - share + STEP;
    const faults = limits.flatMap(({ below, above, failsOnlyHere }, i) => [
      ...(below + above > excluded + STEP ? [`limits[${i}] excludes more than all limits`] : []),
      ...(failsOnlyHere > below + above + STEP ? [`limits[${i}] fails only here too often`] : []),
    ]);
    if (sum(limits.map((one) => one.failsOnlyHere)) > excluded + limits.length * STEP) {
      faults.push('more people fail one limit alone than fail any');
    }
    const [{ below = 0, above = 0, failsOnlyHere = 0 } = {}] = limits;
    if (limits.length > 1) return faults;
    if (Math.abs(below + above - failsOnlyHere) > ROUNDING)
      faults.push('failsOnlyHere of one limit');
    if (Math.abs(share + below + above - 1) > 2 * STEP) faults.push('one limit does not make 1');
    return faults;
  },
  design_ranges({ share }: { share: number }, { targetShare }: { targetShare: number }) {
    return Math.abs(share - targetShare) > 0.01 ? [`${share} is not ${targetShare}`] : [];
  },
  size_chart(answer: { shareServed: number; betweenSizes: number; sizes: { share: number }[] }) {
    const { shareServed, betweenSizes, sizes } = answer;
    const shares = sum(sizes.map(({ share }) => share));
    return [
      ...(Math.abs(shares - shareServed) > sizes.length * STEP
        ? ['sizes do not make shareServed']
        : []),
      ...(shareServed + betweenSizes > 1 + 2 * STEP ? ['more than all are served or between'] : []),
    ];
  },
  batch({ answers }: { answers: { status: number; body: Json }[] }) {
    return answers.flatMap(({ status, body }, i) =>
      status >= 500 ? [`answers[${i}] is ${status}: ${JSON.stringify(body)}`] : [],
    );
  },
};

import { isTemporary, Problem } from '../../core/errors.js';
import type { AnswerOf } from '../../operations/operation.js';
import type { populationPercentiles } from '../../operations/population-percentiles.js';
import { populationShare } from '../../operations/population-share.js';
import { shareFault } from '../../operations/product-request.js';
import type { samplePeople } from '../../operations/sample-people.js';
import { coarse, unitsOf } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';
import { formatLength, shownUnit } from '../../site/lengths.js';
import type { ExactCall, Refusal } from '../shared/data-types.js';
import { exactCallOf } from '../shared/free-computations.js';
import { plainDetail } from '../shared/plain-words.js';
import type { ChosenPopulation } from '../shared/populations.js';
import { groupsTogether } from '../shared/together.js';
import {
  type BoxLimit,
  clothingIn,
  FIT_PERCENTILES,
  type FitView,
  limitRange,
  measurementsOf,
} from './address.js';
import type { FitCurve } from './data-types.js';
import { productById } from './products.js';
import { sizeFaults } from './proposal.js';

// Requests of the Fit screen to the operations, and the refusals before them.

/** Refuses limits whose minimum is above their maximum. The API's message would name fields of the call. */
export function refuseCrossed(limits: readonly BoxLimit[]): void {
  for (const limit of limits) {
    if (!isCrossed(limit)) continue;
    const { measurement, min, max } = limit;
    const words = inWords(measurement);
    const { unit } = limitRange(measurement);
    const message = `Nobody can fit: ${words} would have to be at least ${min}${unit} and at most ${max}${unit}.`;
    throw new Problem('validation_error', message);
  }
}

/** A refusal as the page shows it. */
export function refusalOf(problem: Problem): Refusal {
  return { code: problem.code, detail: plainDetail(problem) };
}

export function isCrossed({ min, max }: BoxLimit): boolean {
  return min !== undefined && max !== undefined && min >= max;
}

/** Refuses sizes that a product cannot have, and a share that is too small for a product of safety. */
export function refuseFaults(view: FitView): void {
  const product = productById(view.product);
  const unsafe = product && shareFault(product, view.targetPercent);
  if (unsafe !== undefined) throw new Problem('validation_error', unsafe);
  const unit = shownUnit(view.unit);
  const [fault] = sizeFaults(view, (mm) => formatLength(mm, unit)).values();
  if (fault !== undefined) throw new Problem('validation_error', fault);
}

/** If a refusal is temporary, refuses the whole view. */
export function refuseTemporary(...found: readonly object[]): void {
  for (const one of found) if (one instanceof Problem && isTemporary(one.code)) throw one;
}

export function dressesOf(view: FitView): ReadonlySet<string> {
  return new Set(view.populations.map((one) => clothingIn(view, one)));
}

/** The call that returns the share of populations with the same clothing. */
export function shareCall(
  view: FitView,
  populations: readonly ChosenPopulation[],
  limits: readonly BoxLimit[],
): ExactCall {
  return exactCallOf(populationShare, {
    ...peopleOf(view, populations),
    limits: limits.map(({ measurement, min, max }) => ({
      measurement,
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
    })),
  });
}

export function peopleOf(view: FitView, populations: readonly ChosenPopulation[]) {
  const [first] = populations;
  const clothing = first === undefined ? 'nude' : clothingIn(view, first);
  const groups = [...groupsTogether(populations)];
  return { population: { groups }, ...(clothing === 'nude' ? {} : { clothing }) };
}

/** The request for the curves of a population. */
export function curvesRequest(view: FitView, population: ChosenPopulation) {
  const measurements = measurementsOf(view);
  return { ...peopleOf(view, [population]), measurements, percentiles: [...FIT_PERCENTILES] };
}

/** The curves of a population, rounded for a picture. */
export function curvesOf({
  measurements,
}: AnswerOf<typeof populationPercentiles>): readonly FitCurve[] {
  return measurements.map(({ measurement, values }) => ({
    measurement,
    valuesMm: values.map(({ value }) => coarse(value, unitsOf(measurement)[0] ?? 'mm')),
  }));
}

/** The sampled people as dots, rounded for a picture. */
export function dotsOf(
  { people }: AnswerOf<typeof samplePeople>,
  [across, upwards]: readonly [string, string],
): readonly (readonly [number, number])[] {
  const place = (measurements: Readonly<Record<string, number>>, name: string) =>
    coarse(measurements[name] ?? Number.NaN, unitsOf(name)[0] ?? 'mm');
  return people.map(({ measurements }) => [
    place(measurements, across),
    place(measurements, upwards),
  ]);
}

import Type, { type Static } from 'typebox';
import { field, Problem, type Sentence, said } from '../core/errors.js';
import { PERCENT_LIMITS, PERCENT_ORDINALS } from '../core/limits.js';
import { fromMm, roundPercentile, toMm, type Unit } from '../core/units.js';
import { curveInverse, curveValue, percentileOfZ, zOfPercentile } from '../lookup/cell.js';
import { answerFields, appliedFields, closedObject, paidAnswer, requestFields } from './fields.js';
import { BELIEVED_Z } from './known-values.js';
import { converted, isOfRequests, likelyUnit } from './likely-unit.js';
import { defineOperation, PRICE_OF_ONE } from './operation.js';
import { cellOf } from './prediction-model.js';

const request = closedObject({
  measurement: requestFields.measurement('Dimension observed.'),
  ...requestFields.person,
  value: Type.Number({
    exclusiveMinimum: 0,
    description: 'Observed length in `unit`, greater than 0.',
  }),
  ...requestFields.countryOption,
  ...requestFields.options,
});

const response = paidAnswer({
  measurement: answerFields.measurement('Dimension observed.'),
  ...appliedFields,
  value: answerFields.number('Observed length, as given.'),
  unit: answerFields.unit('Unit of `value`.'),
  percentile: answerFields.number(
    `Percentile of the value in the population, ${PERCENT_LIMITS.minimum} to ${PERCENT_LIMITS.maximum}.`,
  ),
});

const { minimum: LOWEST, maximum: HIGHEST } = PERCENT_LIMITS;
const LOWEST_Z = zOfPercentile(LOWEST);
const HIGHEST_Z = zOfPercentile(HIGHEST);

/**
 * Percentile of a value on a curve, rounded to 0.01.
 *
 * @throws Problem `value_out_of_range` outside `PERCENT_LIMITS`. Its bounds are rounded as in answers, and a request
 * for either bound would be answered.
 */
function percentileOf(curve: Float64Array, value: number, unit: Unit, name: string): number {
  const rounded = fromMm(toMm(value, unit), unit);
  const minimum = fromMm(curveValue(curve, LOWEST_Z), unit);
  const maximum = fromMm(curveValue(curve, HIGHEST_Z), unit);
  if (!(rounded >= minimum && rounded <= maximum)) {
    const side = rounded < minimum ? 'below' : 'above';
    const believed = (size: number) => Math.abs(curveInverse(curve, value * size)) <= BELIEVED_Z;
    const hint = unitHint(value, unit, name, believed);
    const sentence = said`${field('/value')} must be between ${minimum} and ${maximum} ${unit}, the ${PERCENT_ORDINALS.minimum} and the ${PERCENT_ORDINALS.maximum} percentile of ${name} in this population; ${value} ${unit} is ${side}.${hint}`;
    throw new Problem('value_out_of_range', sentence, { minimum, maximum, unit });
  }
  const percentile = percentileOfZ(curveInverse(curve, toMm(value, unit)));
  return Math.min(HIGHEST, Math.max(LOWEST, roundPercentile(percentile)));
}

/** The remedy for a value that people have in another unit. Empty for other values. */
function unitHint(
  value: number,
  unit: Unit,
  name: string,
  believed: (size: number) => boolean,
): Sentence | '' {
  const meant = likelyUnit(name, believed);
  if (meant === undefined || meant.name === unit) return '';
  const setUnit = isOfRequests(meant) ? said`set ${field('/unit')} to ${meant.name}, or ` : '';
  return said` ${value} would fit as ${meant.name}: ${setUnit}send ${converted(value, meant, unit)}.`;
}

/** POST /v1/percentile-lookup: observed value to percentile (specification, 4.7). */
export const percentileLookup = defineOperation({
  name: 'percentile_lookup',
  path: '/v1/percentile-lookup',
  title: 'Look up a percentile',
  description: 'The percentile at which an observed length lies in a population.',
  toolDescription: `Find at which percentile of a population an observed length lies: the inverse of predict. Use it to say which percentage of people is shorter or smaller than a size, such as how many can reach a shelf: 100 less the percentile. Answers between the ${PERCENT_ORDINALS.minimum} and the ${PERCENT_ORDINALS.maximum} percentile; outside, the refusal gives the limits. Not for several limits or age ranges: population_share.`,
  ...PRICE_OF_ONE,
  command: { name: 'lookup', summary: 'find the percentile of a length' },
  request,
  response,
  example: { measurement: 'Stature', gender: 'Male', age: 40, value: 1843, country: 'DE' },
  refusals: {
    value_out_of_range: { measurement: 'Stature', gender: 'Female', age: 30, value: 2500 },
  },
  cost: () => 1,
  run(input, model): Static<typeof response> {
    const population = cellOf(input);
    const { measurement, gender, country, clothing, posture, unit } = population;
    const { value } = input;
    const curve = model.curve(population);
    const percentile = percentileOf(curve, value, unit, measurement);
    return { measurement, gender, country, clothing, posture, value, unit, percentile };
  },
});

import { Problem } from '../../core/errors.js';
import { PERCENT_LIMITS } from '../../core/limits.js';
import { roundPercentile } from '../../core/units.js';
import type { AnswerOf } from '../../operations/operation.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { populationShare } from '../../operations/population-share.js';
import { inWords } from '../../site/labels.js';
import { allAnswered, exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import { plainDetail } from '../shared/plain-words.js';
import type { DimensionView } from './address.js';
import type { ChartData, ExactAnswer } from './data-types.js';

/** Percentiles whose exact values the chart of ages shows, besides the chosen one. */
export const BAND = [5, 50, 95] as const;

/**
 * The API's numbers of body mass or BMI in a view. The operations that predict lengths do not have them, so the people
 * of one completed age are the population of `population_percentiles`, one call for each country.
 */
export async function exactMasses(
  view: DimensionView,
  free: FreeAnswers,
  left: AbortSignal,
): Promise<Pick<ChartData, 'call' | 'otherCalls' | 'answer' | 'refusal'>> {
  const { measurement, countries, unit, value, kind, percentile } = view;
  const [lead = ''] = countries;
  const isLookup = kind === 'distribution' && value !== undefined;
  const several = kind === 'ages' && countries.length === 1;
  const percentiles = several ? [...new Set([...BAND, percentile])] : [percentile];
  percentiles.sort((one, other) => one - other);
  const shareBody = {
    population: populationOf(view, lead),
    limits: [{ measurement, max: value }],
    ...massUnitOf(view),
  };
  const calls = isLookup
    ? [exactCallOf(populationShare, shareBody)]
    : countries.map((country) =>
        exactCallOf(populationPercentiles, massRequest(view, country, percentiles)),
      );
  const [call, ...otherCalls] = calls as [ChartData['call'], ...ChartData['call'][]];
  const bodies = calls.map(({ body }) => body);
  const { shares, masses } = await free.answers(
    {
      shares: [populationShare, isLookup ? bodies : []],
      masses: [populationPercentiles, isLookup ? [] : bodies],
    },
    left,
  );
  const refused = [...shares, ...masses].find((one) => one instanceof Problem);
  if (refused !== undefined) {
    return { call, otherCalls, refusal: { code: refused.code, detail: plainDetail(refused) } };
  }
  const common = { call, otherCalls };
  const [lookup] = allAnswered(shares);
  if (lookup !== undefined) {
    const at = roundPercentile(100 * lookup.share);
    const { minimum, maximum } = PERCENT_LIMITS;
    if (at >= minimum && at <= maximum) return { ...common, answer: { percentile: at, unit } };
    const detail = `${value} ${unit} is ${at < minimum ? `below percentile ${minimum}` : `above percentile ${maximum}`} of ${inWords(measurement).toLowerCase()} in this population, and the page shows percentiles ${minimum} to ${maximum}.`;
    return { ...common, refusal: { code: 'value_out_of_range', detail } };
  }
  const values = allAnswered(masses).map(massValues);
  return { ...common, answer: answerOf(view, values, several) };
}

/** People of one gender and one completed age, and the unit of the mass. */
type MassView = Pick<DimensionView, 'measurement' | 'gender' | 'age' | 'unit'>;

/** The request of percentiles of body mass or BMI in a country, for `population_percentiles`. */
export function massRequest(view: MassView, country: string, percentiles: readonly number[]) {
  const population = populationOf(view, country);
  const measurements = [view.measurement];
  return { population, measurements, percentiles, ...massUnitOf(view) };
}

/** The values in an answer to `massRequest`. */
export function massValues({ measurements }: AnswerOf<typeof populationPercentiles>) {
  return measurements[0]?.values ?? [];
}

/** Populations have completed years, so an exact age counts with its whole year. */
function populationOf({ gender, age }: MassView, country: string) {
  const years = Math.floor(age);
  return { groups: [{ countries: [country], gender, ageMin: years, ageMax: years }] };
}

function massUnitOf({ unit }: MassView) {
  return unit === 'lb' ? { massUnit: unit } : {};
}

function answerOf(
  { countries, unit }: DimensionView,
  values: readonly ReturnType<typeof massValues>[],
  several: boolean,
): ExactAnswer {
  if (several) return { values: values[0] ?? [], unit };
  const [first] = values;
  if (countries.length === 1) return { value: first?.[0]?.value ?? Number.NaN, unit };
  return {
    values: values.map((ofCountry, index) => ({
      country: countries[index] ?? '',
      value: ofCountry[0]?.value ?? Number.NaN,
    })),
    unit,
  };
}

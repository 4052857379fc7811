import { COUNTRIES } from '../../core/countries.js';
import { Problem } from '../../core/errors.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { isMass } from '../../site/amounts.js';
import { apiUnit } from '../dimension/address.js';
import { massRequest, massValues } from '../dimension/mass-data.js';
import { exactAge } from '../shared/ages.js';
import { exactCallOf, type FreeAnswers, type FreeRequest } from '../shared/free-computations.js';
import type { WorldView } from './address.js';
import type { CountryValue, WorldData } from './data-types.js';

type Evidence = Pick<CountryValue, 'grade' | 'measuredHere'>;

/**
 * The values of all countries at one percentile, and the evidence for each country's median. Countries without a
 * model are left out.
 *
 * @throws Problem of the API if no country has a value
 */
export async function worldDataOf(
  view: WorldView,
  { answers }: FreeAnswers,
  artifactVersion: string,
  left: AbortSignal,
): Promise<WorldData> {
  const { measurement, gender, percentile, clothing } = view;
  const person = { measurement, gender, age: exactAge(view.age) };
  const unit = apiUnit(view.unit);
  const ofMass = isMass(measurement);
  const predictions = COUNTRIES.map(({ code }): FreeRequest & { country: string } => ({
    country: code,
    ...(ofMass
      ? massRequest(view, code, [percentile])
      : {
          operation: 'predict' as const,
          body: { ...person, percentile, country: code, clothing, unit },
        }),
  }));
  const evidence = COUNTRIES.map(
    ({ code }): FreeRequest => ({ operation: 'evidence', body: { ...person, country: code } }),
  );
  const answered = await answers([...predictions, ...evidence], left);
  const found = predictions.flatMap((request, index) => {
    const prediction = answered[index];
    if (prediction === undefined || prediction instanceof Problem) return [];
    const known = answered[predictions.length + index];
    const { grade, measuredHere } = known instanceof Problem ? {} : ((known ?? {}) as Evidence);
    const [{ value } = { value: Number.NaN }] = ofMass
      ? massValues(prediction)
      : [prediction as CountryValue];
    return [{ request, country: request.country, value, grade, measuredHere }];
  });
  const [refusal] = answered;
  if (found.length === 0 && refusal instanceof Problem) throw refusal;
  // The order of equal values is that of the codes.
  found.sort((one, other) => other.value - one.value || (one.country < other.country ? -1 : 1));
  const requests = found.map(({ request: { operation, body } }) => ({ operation, input: body }));
  const batch = {
    operation: 'batch',
    path: '/v1/batch',
    credits: requests.length,
    body: { requests },
  };
  return {
    countries: found.map(({ request: _, ...value }) => value),
    // A batch takes only single predictions.
    calls: ofMass
      ? found.map(({ request }) => exactCallOf(populationPercentiles, { ...request.body }))
      : [batch],
    artifactVersion,
  };
}

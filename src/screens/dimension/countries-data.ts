import { COUNTRIES } from '../../core/countries.js';
import { Problem } from '../../core/errors.js';
import { evidence } from '../../operations/evidence.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { predict } from '../../operations/predict.js';
import { isMass } from '../../site/amounts.js';
import { exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import { exactAge } from '../shared/populations.js';
import type { DimensionView } from './address.js';
import { exactCall } from './data.js';
import type { ChartData, CountryValue, CountryValues } from './data-types.js';
import { massRequest, massValues } from './mass-data.js';

type Evidence = Partial<Pick<CountryValue, 'grade' | 'measuredHere'>>;

/**
 * The values of all countries at one percentile, and the evidence for each country's median. Countries without a
 * model are left out. The calls have the countries in the order of the values: one batch, or for masses one call for
 * each country.
 *
 * @throws Problem of the API if no country has a value
 */
export async function countriesDataOf(
  asked: DimensionView,
  { answers }: FreeAnswers,
  artifactVersion: string,
  left: AbortSignal,
): Promise<ChartData<CountryValues>> {
  const view = {
    ...asked,
    kind: 'distribution',
    value: undefined,
    age: exactAge(asked.age),
  } as const;
  const { measurement, gender, age, percentile } = view;
  const ofMass = isMass(measurement);
  const bodies = COUNTRIES.map(({ code }) =>
    ofMass ? massRequest(view, code, [percentile]) : exactCall({ ...view, countries: [code] }).body,
  );
  const { lengths, masses, known } = await answers(
    {
      lengths: [predict, ofMass ? [] : bodies],
      masses: [populationPercentiles, ofMass ? bodies : []],
      known: [evidence, COUNTRIES.map(({ code }) => ({ measurement, gender, age, country: code }))],
    },
    left,
  );
  const found = COUNTRIES.flatMap(({ code }, index) => {
    const prediction = lengths[index] ?? masses[index];
    if (prediction === undefined || prediction instanceof Problem) return [];
    const [{ value } = { value: Number.NaN }] =
      'value' in prediction ? [prediction] : massValues(prediction);
    const about = known[index];
    const { grade, measuredHere }: Evidence = about instanceof Problem ? {} : (about ?? {});
    return [{ body: { ...bodies[index] }, country: code, value, grade, measuredHere }];
  });
  const [refusal] = [...lengths, ...masses];
  if (found.length === 0 && refusal instanceof Problem) throw refusal;
  // The order of equal values is that of the codes.
  found.sort((one, other) => other.value - one.value || (one.country < other.country ? -1 : 1));
  const requests = found.map(({ body }) => ({ operation: predict.name, input: body }));
  const batch = {
    operation: 'batch',
    path: '/v1/batch',
    credits: requests.length,
    body: { requests },
  };
  // A batch takes only single predictions.
  const [call = batch, ...otherCalls] = ofMass
    ? found.map(({ body }) => exactCallOf(populationPercentiles, body))
    : [];
  const countries = found.map(({ body: _, ...value }) => value);
  const picture = { kind: 'countries', countries } as const;
  return { call, otherCalls, picture, evidence: [], surveys: [], artifactVersion };
}

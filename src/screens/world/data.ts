import { COUNTRIES } from '../../core/countries.js';
import { Problem } from '../../core/errors.js';
import { evidence } from '../../operations/evidence.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { predict } from '../../operations/predict.js';
import { isMass } from '../../site/amounts.js';
import { apiUnit } from '../dimension/address.js';
import { massRequest, massValues } from '../dimension/mass-data.js';
import { exactAge } from '../shared/ages.js';
import { exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import type { WorldView } from './address.js';
import type { CountryValue, WorldData } from './data-types.js';

type Evidence = Partial<Pick<CountryValue, 'grade' | 'measuredHere'>>;

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
  const bodies = COUNTRIES.map(({ code }) =>
    ofMass
      ? massRequest(view, code, [percentile])
      : { ...person, percentile, country: code, clothing, unit },
  );
  const { lengths, masses, known } = await answers(
    {
      lengths: [predict, ofMass ? [] : bodies],
      masses: [populationPercentiles, ofMass ? bodies : []],
      known: [evidence, COUNTRIES.map(({ code }) => ({ ...person, country: code }))],
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
    return [{ body: bodies[index] as object, country: code, value, grade, measuredHere }];
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
  return {
    countries: found.map(({ body: _, ...value }) => value),
    // A batch takes only single predictions.
    calls: ofMass
      ? found.map(({ body }) => exactCallOf(populationPercentiles, { ...body }))
      : [batch],
    artifactVersion,
  };
}

import { bodyRow, type CellKey, dimensionRow, evidenceIndex, zOfPercentile } from './cell.js';
import { GRADES, type Grade, NO_GRADE } from './format.js';
import type { ArtifactViews } from './reader.js';

/** How well the median of a cell is known. */
export interface CellEvidence {
  /** Standard error of ln of the median. */
  readonly lnMedianSd: number;
  readonly grade: Grade;
}

/** Standard normal score at the ends of a 90 % interval. */
const Z95 = zOfPercentile(95);

/**
 * Evidence for a cell. It is one for all people of a completed year of age: that of the age at which the year begins. The
 * standard error is linear between the ages of the artifact, and constant beyond them. The grade is the worse one of the
 * two neighbouring ages.
 *
 * @returns undefined for a cell without a model
 */
export function evidenceOf(views: ArtifactViews, key: CellKey): CellEvidence | undefined {
  const row = dimensionRow(key.measurement, key.gender);
  if (views.block[row] < 0) return undefined;
  if (key.ageYears < views.ageMinYears[row]) return undefined;
  return evidenceAt(views, row, key);
}

/**
 * Evidence for BMI or body mass. The measurement, clothing and posture of the key are not used.
 *
 * @param body index in `MASS_QUANTITIES`
 */
export function evidenceOfBody(
  views: ArtifactViews,
  body: number,
  key: CellKey,
): CellEvidence | undefined {
  const { measurements } = views.manifest.axes;
  return evidenceAt(views, bodyRow(measurements.length, body, key.gender), key);
}

function evidenceAt(
  { population, manifest }: ArtifactViews,
  row: number,
  { country, ageYears: exactYears }: CellKey,
): CellEvidence | undefined {
  const ageYears = Math.floor(exactYears);
  const ages = manifest.population.evidenceAgesYears;
  let i = 0;
  while (i + 1 < ages.length && ages[i + 1] <= ageYears) i++;
  const next = Math.min(i + 1, ages.length - 1);
  const span = ages[next] - ages[i];
  const share = span === 0 ? 0 : Math.max(0, (ageYears - ages[i]) / span);
  const at = (age: number) =>
    evidenceIndex(manifest.axes.countries.length, ages.length, row, country, age);
  const [from, to] = [population.grade[at(i)], population.grade[at(next)]];
  const sd = population.lnMedianSd[at(i)];
  const nextSd = population.lnMedianSd[at(next)];
  if (from === NO_GRADE) {
    // The dimension's model begins between the two ages.
    if (to === NO_GRADE) return undefined;
    return { lnMedianSd: nextSd, grade: GRADES[to] };
  }
  const worse = share === 0 ? from : Math.max(from, to);
  return { lnMedianSd: sd + share * (nextSd - sd), grade: GRADES[worse] };
}

/** The 90 % interval of a median in the unit of the median. */
export function medianInterval(
  median: number,
  { lnMedianSd }: CellEvidence,
): readonly [low: number, high: number] {
  return [median * Math.exp(-Z95 * lnMedianSd), median * Math.exp(Z95 * lnMedianSd)];
}

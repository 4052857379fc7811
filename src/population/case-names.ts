import { BODY_REGIONS, type RegionId } from '../core/body-regions.js';
import { MEASUREMENTS, type MeasurementKind } from '../core/measurements.js';

/** Parts of the body that the names of cases mention. */
type Part = 'legs' | 'trunk' | 'heft' | 'length' | 'other';

const LONG: readonly MeasurementKind[] = ['height', 'length', 'reach'];
const WIDE: readonly MeasurementKind[] = ['circumference', 'breadth', 'depth'];
const BODY: readonly RegionId[] = ['trunk', 'leg', 'whole-body'];

const REGION_OF = new Map(
  BODY_REGIONS.flatMap(({ id, measurements }) =>
    measurements.map(({ name }) => [name, id] as const),
  ),
);

/** A part stands out if its deviation is at least this share of the strongest deviation. */
const STANDS_OUT = 0.4;
/** A person is large or small overall if the mean deviation is at least this share of the strongest deviation. */
const ALL_ROUND = 0.6;

/**
 * Unique names of cases in plain English. A case is named after its build if that is common, otherwise after its
 * strongest deviations from the centre of the population.
 *
 * @param measurements names of the chosen measurements
 * @param cases scores of each case in the population, one for each measurement
 */
export function caseNames(
  measurements: readonly string[],
  cases: readonly Float64Array[],
): readonly string[] {
  const parts = measurements.map(partOf);
  const used = new Set<string>();
  return cases.map((scores) => {
    const candidates = [buildOf(parts, scores), ...deviations(measurements, scores)];
    let name = candidates.find((one) => one !== undefined && !used.has(one));
    for (let number = 2; name === undefined; number++) {
      const numbered = `${candidates.at(-1)} (${number})`;
      if (!used.has(numbered)) name = numbered;
    }
    used.add(name);
    return name;
  });
}

function partOf(measurement: string): Part {
  if (measurement === 'BodyMass' || measurement === 'BMI') return 'heft';
  const found = MEASUREMENTS.find(({ name }) => name === measurement);
  const region = found === undefined ? undefined : REGION_OF.get(found.name);
  if (found === undefined || region === undefined) return 'other';
  if (BODY.includes(region) && WIDE.includes(found.kind)) return 'heft';
  if (!LONG.includes(found.kind)) return 'other';
  if (region === 'leg') return 'legs';
  if (BODY.includes(region) && found.definedIn === 'sitting') return 'trunk';
  return BODY.includes(region) || region === 'arm' ? 'length' : 'other';
}

/** Name of a common build; undefined for another. */
function buildOf(parts: readonly Part[], scores: Float64Array): string | undefined {
  const strongest = Math.max(...scores.map(Math.abs));
  const mean = (...wanted: Part[]): number => {
    const found = [...scores].filter((_, i) => wanted.includes(parts[i]));
    return found.length === 0 ? 0 : found.reduce((sum, score) => sum + score, 0) / found.length;
  };
  const standsOut = (score: number): boolean => Math.abs(score) >= STANDS_OUT * strongest;
  const [legs, trunk, heft] = [mean('legs'), mean('trunk'), mean('heft')];
  const length = mean('legs', 'trunk', 'length');
  const size = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const large = size > 0;
  const against = scores.some((score) => score > 0 !== large && standsOut(score));
  if (!against && Math.abs(size) >= ALL_ROUND * strongest) {
    if (length === 0 && heft === 0) return large ? 'large' : 'small';
    if (heft === 0) return large ? 'tall' : 'small';
    if (length === 0) return large ? 'heavy' : 'slim';
    return large ? 'tall and heavy' : 'small and slim';
  }
  if (standsOut(legs) && standsOut(trunk) && legs > 0 !== trunk > 0) {
    return legs > 0 ? 'long-legged with a short trunk' : 'short-legged with a long trunk';
  }
  if (standsOut(length) && standsOut(heft) && length > 0 !== heft > 0) {
    return length > 0 ? 'tall and slim' : 'small and heavy';
  }
  return undefined;
}

/** Names by the two, three … strongest deviations. */
function deviations(measurements: readonly string[], scores: Float64Array): string[] {
  const order = measurements.map((_, i) => i);
  order.sort((a, b) => Math.abs(scores[b]) - Math.abs(scores[a]));
  const words = order.map((i) => `${scores[i] > 0 ? 'large' : 'small'} ${measurements[i]}`);
  return words.slice(1).map((_, i) => words.slice(0, i + 2).join(', '));
}

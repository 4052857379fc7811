import { COUNTRY_CODES } from '../core/countries.js';
import { GENDERS } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../core/profiles.js';
import { ArtifactError } from './errors.js';
import {
  FILES,
  FORMAT_VERSION,
  type Manifest,
  type ManifestIdentity,
  type ManifestPopulation,
} from './format.js';

/**
 * Checks that the manifest fits this program: the format version, and every name of the axes.
 *
 * @throws ArtifactError `newer_format`, `wrong_type`, `wrong_axes`, `out_of_range`
 */
export function checkManifest(manifest: Manifest): void {
  checkFormat(FILES.manifest, manifest.formatVersion);
  const { axes, referenceStaturesMm: statures } = manifest;
  checkAxis('measurements', axes.measurements, MEASUREMENT_NAMES);
  checkAxis('genders', axes.genders, GENDERS);
  checkAxis('countries', axes.countries, COUNTRY_CODES);
  checkAxis('clothing', axes.clothing, CLOTHING_IDS);
  checkAxis('postures', axes.postures, POSTURE_IDS);
  checkRising('agesYears', axes.agesYears);
  checkRising('correlationAgesYears', axes.correlationAgesYears);
  if (axes.agesYears[0] !== AGE_LIMITS.minimum || axes.agesYears.at(-1) !== AGE_LIMITS.maximum) {
    throw new ArtifactError(
      'wrong_axes',
      FILES.manifest,
      `agesYears must run from ${AGE_LIMITS.minimum} to ${AGE_LIMITS.maximum}`,
    );
  }
  if (!Array.isArray(statures) || statures.length !== 2 || !statures.every((mm) => mm > 0)) {
    throw new ArtifactError('out_of_range', FILES.manifest, 'reference statures must be above 0');
  }
  checkPopulation(manifest);
}

/**
 * Checks that this program can read a format version.
 *
 * @throws ArtifactError `wrong_type`, `newer_format`
 */
export function checkFormat(file: string, version: unknown): void {
  // A manifest is JSON from a disk, so its types must be checked.
  const [major, minor] = typeof version === 'string' ? version.split('.').map(Number) : [];
  const known = `${FORMAT_VERSION.major}.${FORMAT_VERSION.minor}`;
  if (major === undefined || minor === undefined || !(major >= 1) || !(minor >= 0)) {
    throw new ArtifactError('wrong_type', file, `no format version; this program reads ${known}`);
  }
  if (major !== FORMAT_VERSION.major || minor > FORMAT_VERSION.minor) {
    const message = `format ${version}, but this program reads ${known}; rebuild or upgrade`;
    throw new ArtifactError('newer_format', file, message);
  }
}

function checkAxis(axis: string, found: unknown, known: readonly string[]): void {
  const names: readonly unknown[] = Array.isArray(found) ? found : [];
  if (names.length !== known.length || !known.every((name, i) => name === names[i])) {
    const message = `axis ${axis} differs from this program's; rebuild with npm run pipeline`;
    throw new ArtifactError('wrong_axes', FILES.manifest, message);
  }
}

function checkRising(axis: string, found: unknown): void {
  const ages: readonly unknown[] = Array.isArray(found) ? found : [];
  const rising = ages.every(
    (age, i) => Number.isFinite(age) && (i === 0 || Number(age) > Number(ages[i - 1])),
  );
  if (ages.length === 0 || ages.length > 250 || !rising) {
    throw new ArtifactError('wrong_axes', FILES.manifest, `axis ${axis} must rise`);
  }
}

/** Checks the part of the manifest about years, body mass, evidence and complete people. */
function checkPopulation({ axes, population, referenceYear }: Manifest): void {
  const refuse = (reason: string): never => {
    throw new ArtifactError('out_of_range', FILES.manifest, `population: ${reason}`);
  };
  // A manifest is JSON from a disk, so its types must be checked.
  if (typeof population !== 'object' || population === null) refuse('missing');
  checkRising('population.years', population.years);
  checkRising('population.evidenceAgesYears', population.evidenceAgesYears);
  if (!population.years.includes(referenceYear)) refuse(`years lack ${referenceYear}`);
  if (!axes.agesYears.includes(population.yearsFromAge)) refuse('yearsFromAge is not an age knot');
  if (population.regions?.length !== axes.countries.length) refuse('regions need one per country');
  const matrices = axes.correlationAgesYears.length * axes.genders.length;
  const { rhoBmiMass = [] } = population;
  if (rhoBmiMass.length !== matrices || !rhoBmiMass.every((rho) => Math.abs(rho) < 1)) {
    refuse(`rhoBmiMass needs ${matrices} correlations`);
  }
  const { reach } = population;
  if (reach !== undefined && !(reach.stretchShare > 0 && reach.stretchSdMm >= 0)) {
    refuse('reach needs a share and a standard deviation');
  }
  checkNames(axes.measurements, population, refuse);
}

/** Checks that identities, derived measurements and surveys name measurements. */
function checkNames(
  measurements: readonly string[],
  { identities, derived, surveys, ownWeights = [] }: ManifestPopulation,
  refuse: (reason: string) => never,
): void {
  if (![identities, derived, surveys].every(Array.isArray)) {
    refuse('identities, derived or surveys missing');
  }
  checkTerms(measurements, identities, refuse);
  checkTerms(measurements, derived, refuse);
  for (const { name, measurements: measured } of surveys) {
    if (!measured.every((index: number) => measurements[index] !== undefined)) {
      refuse(`survey ${name} names an unknown measurement`);
    }
  }
  for (const { country, measurement, weights } of ownWeights) {
    if (measurements[measurement] === undefined) {
      refuse(`a weight of ${country} names an unknown measurement`);
    }
    if (!weights.every((weight: number) => weight >= 0 && weight <= 1)) {
      refuse(`a weight of ${country} is not between 0 and 1`);
    }
  }
}

/** Checks that each entry names measurements, and that its parts come before it. */
function checkTerms(
  measurements: readonly string[],
  entries: readonly ManifestIdentity[],
  refuse: (reason: string) => never,
): void {
  const later = new Set(entries.map(({ measurement }) => measurement));
  if (later.size < entries.length) refuse('a measurement has two formulas');
  for (const { measurement, terms } of entries) {
    if (!measurements.includes(measurement)) refuse(`no measurement ${measurement}`);
    for (const { coefficient, of } of terms) {
      if (!Number.isFinite(coefficient)) refuse(`${measurement} has no coefficient`);
      if (of === undefined) continue;
      if (!measurements.includes(of)) refuse(`no measurement ${of}`);
      if (later.has(of)) refuse(`${measurement} comes before its part ${of}`);
    }
    later.delete(measurement);
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  placeVersion,
  pointCurrent,
  removeAbandoned,
  stagingPath,
} from '../src/artifacts/place.js';
import { COUNTRY_CODES, type CountryCode } from '../src/core/countries.js';
import { GENDERS, type Gender, perGender } from '../src/core/genders.js';
import { MEASUREMENT_NAMES, MEASUREMENTS } from '../src/core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../src/core/profiles.js';
import { placeOf } from '../src/core/regions.js';
import type { ManifestPopulation } from '../src/lookup/format.js';
import { verifyVersion } from '../src/lookup/open-artifact.js';
import { fileIdentities } from '../src/lookup/version.js';
import { buildShape } from './body/build-shape.js';
import { withOpenness } from './body/openness.js';
import { BODY_SOURCE } from './body/read-tables.js';
import { emitArtifact } from './emit.js';
import { evidenceTable, ownWeightsOf, surveysOf } from './fit/evidence/evidence.js';
import { fitModel } from './fit/fit-model.js';
import { headCounts } from './fit/head-counts.js';
import { fitProfiles } from './fit/profiles.js';
import { fitReach } from './fit/reach.js';
import { emptyGrid, fillGrid } from './grid.js';
import { yearsOf } from './model/fitted-model.js';
import { Populations } from './model/population.js';
import { sensitivities } from './model/sensitivities.js';
import {
  AGES_YEARS,
  CORRELATION_AGES_YEARS,
  EVIDENCE_AGES_YEARS,
  REFERENCE_YEAR,
  YEARS_FROM_AGE,
} from './plans/axes.js';
import { checkProfiles } from './plans/build-fault.js';
import { DIMENSION_ORDER, IDENTITIES } from './plans/dependencies.js';
import { DERIVED } from './plans/joint-plan.js';
import { CLOTHING_RULES, POSTURE_RULES } from './plans/profile-rules.js';
import { countryTables, slopeTable } from './population-tables.js';
import { RawTables } from './raw-tables/raw-tables.js';
import { SOURCES } from './raw-tables/source-tables.js';
import { studySources } from './raw-tables/studies.js';
import { BuildThread } from './second-thread/build-thread.js';
import { readSource, type Source } from './sources.js';
import { verifyCoherence, verifyYears } from './verify.js';

/** Options of a build. */
export interface PipelineOptions {
  readonly rawDir: string;
  readonly artifactsDir: string;
  /** Sources to leave out. `optionalSources` lists the names that are allowed. */
  readonly without: readonly string[];
  /** Builds and verifies the version, but leaves `current` as it is. */
  readonly stage?: boolean;
  /** Called with the share done, 0 to 1, and the current stage. */
  readonly progress: (share: number, stage: string) => void;
  /**
   * For tests: only these countries are computed. Every other country gets the numbers of one of them. The
   * losses of the version say so. No option of the command sets this field.
   */
  readonly onlyCountries?: readonly CountryCode[];
}

/** Result of a build. */
export interface PipelineResult {
  readonly version: string;
  readonly losses: readonly string[];
  /** Sentences about doubtful figures of the national studies. */
  readonly warnings: readonly string[];
}

/** Thrown when the options of a build cannot be met. The message says what to do instead. */
export class PipelineRefusal extends Error {
  override readonly name = 'PipelineRefusal';
}

/** The main thread computes this gender, and a second thread the other one. */
const [OWN_GENDER, SHARED_GENDER] = GENDERS;

/** The loss in a build without the source of the body. */
const NO_BODY = `Without ${BODY_SOURCE} there are no bodies in three dimensions.`;

/** Sources that `--without` may name: the optional ones, the body and the national studies. */
export function optionalSources(rawDir: string): string[] {
  return [...new Set([...SOURCES.optional, BODY_SOURCE, ...studySources(rawDir)])];
}

/**
 * Returns the country whose numbers each country gets: its own, unless a test computes only some countries.
 */
function computedCountries(only: readonly CountryCode[] = COUNTRY_CODES): CountryCode[] {
  return COUNTRY_CODES.map((country, i) =>
    only.includes(country) ? country : (only[i % only.length] as CountryCode),
  );
}

function checkWithout(rawDir: string, without: readonly string[]): void {
  const optional = optionalSources(rawDir);
  for (const name of without) {
    if (optional.includes(name)) continue;
    const known = SOURCES.required.includes(name);
    const why = known ? 'is required by the model' : 'is not a source';
    const message = `--without ${name}: ${name} ${why}; these can be left out: ${optional.join(', ')}.`;
    throw new PipelineRefusal(message);
  }
  if (without.includes('ncdrisc-2016') && without.includes('ncdrisc-2020')) {
    const message =
      '--without: keep one of ncdrisc-2016 and ncdrisc-2020; without both there is no stature by country.';
    throw new PipelineRefusal(message);
  }
}

/**
 * Builds the artifacts from the survey tables. The build fits the model, computes the grid, writes a
 * version, verifies the version with the service's own reader, and moves it into place. Unless the version
 * is staged, `current` then points to it. The same tables give the same bytes.
 *
 * @throws PipelineRefusal for options that cannot be met
 * @throws BuildFault for a profile without rules, a country without covariates or a source that is not
 * listed
 * @throws StudyFaults for faulty studies
 * @throws ArtifactError when verification fails
 */
export async function runPipeline(options: PipelineOptions): Promise<PipelineResult> {
  checkWithout(options.rawDir, options.without);
  checkProfiles('CLOTHING_RULES', CLOTHING_IDS, CLOTHING_RULES);
  checkProfiles('POSTURE_RULES', POSTURE_IDS, POSTURE_RULES);
  const { progress } = options;
  progress(0, 'reading survey tables');
  const staging = stagingPath(options.artifactsDir, 'building');
  const countries = computedCountries(options.onlyCountries);
  const grid = emptyGrid(countries.length);
  const { rawDir, without } = options;
  const tables = await RawTables.open(rawDir, without);
  // For a few countries, a second fit would take longer than the thread saves.
  const share =
    options.onlyCountries === undefined
      ? new BuildThread({
          ...{ rawDir, without, gender: SHARED_GENDER },
          ...{ quantiles: grid.quantiles, countries },
        })
      : undefined;
  try {
    const used = [...SOURCES.required, ...optionalSources(options.rawDir)]
      .filter((name) => !options.without.includes(name))
      .sort()
      .map((name) => readSource(options.rawDir, name));
    const fit = await fitModel(tables);
    const { model, joint } = fit;
    const { onlyCountries } = options;
    const withBody = !options.without.includes(BODY_SOURCE);
    const losses = [...fit.losses];
    if (!withBody) losses.push(NO_BODY);
    if (onlyCountries !== undefined) {
      losses.push(`A build of a test: all countries have numbers of ${onlyCountries.join(', ')}.`);
    }
    progress(0.06, 'fitting correlations');
    let done = 0;
    joint.matrices([OWN_GENDER], () => {
      done += 1;
      progress(0.06 + (0.09 * done) / CORRELATION_AGES_YEARS.length, 'fitting correlations');
    });
    done = 0;
    fillGrid(grid.quantiles, model, OWN_GENDER, countries, () => {
      done += 1;
      progress(0.15 + (0.65 * done) / countries.length, 'computing the grid');
    });
    progress(0.8, 'computing years, body mass and evidence');
    if (share === undefined) fillGrid(grid.quantiles, model, SHARED_GENDER, countries);
    else joint.take(SHARED_GENDER, await share.correlations);
    const { rhoBmiMass, ...correlations } = joint.matrices();
    const americans = new Populations(model);
    const references = perGender((gender) => americans.home(gender).at(35));
    const profiles = fitProfiles(fit.tables, GENDERS, (gender, name) =>
      MEASUREMENTS[MEASUREMENT_NAMES.indexOf(name)]?.genders.includes(gender)
        ? references[gender].medianMm(name)
        : undefined,
    );
    const people = headCounts(fit.tables.headCounts);
    const surveys = surveysOf(fit);
    const ownWeights = ownWeightsOf(fit);
    const slopes = slopeTable(model, (gender) => sensitivities(model, gender));
    const added = {
      ...slopes,
      ...evidenceTable(fit),
      people,
      shape: withBody ? withOpenness(await buildShape(options.rawDir)) : undefined,
      ...(share === undefined ? countryTables(model, countries) : await share.tables),
    };
    progress(0.85, 'writing');
    rmSync(staging, { recursive: true, force: true });
    const version = emitArtifact(
      staging,
      { ...grid, ...profiles, ...correlations, ...added },
      {
        referenceYear: REFERENCE_YEAR,
        buildEpoch: Math.max(...used.map((source) => source.importedEpoch)),
        axes: axes(),
        referenceStaturesMm: GENDERS.map((g: Gender) => model.referenceStatureMm[g]) as [
          number,
          number,
        ],
        sources: used.map(({ importedEpoch: _, ...source }: Source) => source),
        losses,
        population: {
          years: yearsOf(model),
          yearsFromAge: YEARS_FROM_AGE,
          evidenceAgesYears: EVIDENCE_AGES_YEARS,
          identities: identities(),
          derived: DERIVED,
          rhoBmiMass,
          regions: COUNTRY_CODES.map((country) => placeOf(country).region),
          surveys,
          ownWeights,
          reach: fitReach(fit.tables.reach).reach,
        },
      },
    );
    progress(0.9, 'verifying');
    // Moving a folder does not change the size, time and inode of its files.
    const verified = fileIdentities(staging) ?? {};
    const views = verifyVersion(staging);
    verifyCoherence(views);
    verifyYears(views);
    placeVersion(options.artifactsDir, staging, version, verified);
    if (options.stage !== true) pointCurrent(options.artifactsDir, version);
    removeAbandoned(options.artifactsDir);
    progress(1, 'done');
    return { version, losses, warnings: fit.warnings };
  } finally {
    await share?.end();
    tables.close();
    // After a successful build, the folder has moved away. After a failure, it is removed here.
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Builds the artifact of the tables in a folder of its own, and removes it after its use. */
export async function withBuilt<T>(
  options: Omit<PipelineOptions, 'artifactsDir' | 'progress'> &
    Partial<Pick<PipelineOptions, 'progress'>>,
  use: (artifactsDir: string, version: string) => T | Promise<T>,
): Promise<T> {
  const artifactsDir = mkdtempSync(join(tmpdir(), 'vitruvia-built-'));
  try {
    const { progress = () => undefined } = options;
    const { version } = await runPipeline({ ...options, artifactsDir, progress });
    return await use(artifactsDir, version);
  } finally {
    rmSync(artifactsDir, { recursive: true, force: true });
  }
}

function axes() {
  return {
    measurements: MEASUREMENT_NAMES,
    genders: GENDERS,
    countries: COUNTRY_CODES,
    agesYears: AGES_YEARS,
    clothing: CLOTHING_IDS,
    postures: POSTURE_IDS,
    correlationAgesYears: CORRELATION_AGES_YEARS,
  };
}

/** Returns the identities of medians. Each one comes after those that it depends on. */
function identities(): ManifestPopulation['identities'] {
  return DIMENSION_ORDER.flatMap((measurement) => {
    const terms = IDENTITIES.get(measurement);
    return terms === undefined ? [] : [{ measurement, terms }];
  });
}

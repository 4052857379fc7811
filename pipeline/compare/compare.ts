import { groups } from 'd3-array';
import { GENDERS } from '../../src/core/genders.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../../src/core/profiles.js';
import { correlationIndex, dimensionRow, profileIndex } from '../../src/lookup/cell.js';
import { type Manifest, type ManifestSurvey, NO_BLOCK } from '../../src/lookup/format.js';
import type { ArtifactViews } from '../../src/lookup/reader.js';
import { compareCells } from './cells.js';
import {
  CompareRefusal,
  JUMP,
  type Jump,
  type MovedAllowance,
  type MovedCorrelation,
} from './comparison.js';
import { round } from './tally.js';

/** Maximum length of lists of single cells and pairs in a comparison. */
const LONGEST = 20;
/** Allowances that differ by less than this count as equal, mm. */
const ROUNDING_MM = 0.05;

/**
 * Compares two versions cell by cell and flags changes above the limits of `JUMP`. The reader has already refused
 * versions whose axes other than ages differ from those of the program.
 *
 * @throws CompareRefusal if the ages of the versions differ
 */
export function compareArtifacts(before: ArtifactViews, after: ArtifactViews) {
  refuseOtherAges(before.manifest, after.manifest);
  const cells = compareCells(before, after);
  const correlations = compareCorrelations(before, after);
  const allowances = compareAllowances(before, after);
  const jumps = [
    ...compareModels(before, after),
    ...cells.jumps,
    ...correlationJumps(correlations.moved),
    ...allowanceJumps(allowances),
  ];
  const far = <Entry extends { p50: { meanAbsSd: number } }>(a: Entry, b: Entry) =>
    b.p50.meanAbsSd - a.p50.meanAbsSd;
  const { countries, agesYears } = after.manifest.axes;
  return {
    before: versionOf(before.manifest),
    after: versionOf(after.manifest),
    sources: compareSources(before.manifest, after.manifest),
    surveys: compareSurveys(before.manifest, after.manifest),
    /** Number of cells with a model in both versions, and of those that moved by `MOVED_SD` or more. */
    cells: cells.cells,
    cellsMoved: cells.cellsMoved,
    overall: cells.overall.movements(),
    /** Dimensions that moved, by their mean distance, largest first. */
    byDimension: cells.byDimension.sort(far),
    byCountry: cells.byCountry
      .map((tally, i) => ({ country: countries[i], ...tally.movements() }))
      .sort(far),
    byAge: cells.byAge.map((tally, i) => ({ ageYears: agesYears[i], ...tally.movements() })),
    /** The cells that moved farthest, one of each dimension and gender. */
    largest: cells.byDimension
      .map(({ largest }) => largest)
      .sort((a, b) => Math.abs(b.sd) - Math.abs(a.sd))
      .slice(0, LONGEST),
    correlations: {
      pairs: correlations.pairs,
      meanAbs: correlations.meanAbs,
      largest: correlations.moved.slice(0, LONGEST),
    },
    allowances,
    jumps,
  };
}

/** All changes between two versions. */
export type Comparison = ReturnType<typeof compareArtifacts>;

function refuseOtherAges(before: Manifest, after: Manifest): void {
  for (const axis of ['agesYears', 'correlationAgesYears'] as const) {
    if (before.axes[axis].join() === after.axes[axis].join()) continue;
    const message = `${before.artifactVersion} and ${after.artifactVersion} cannot be compared: their ${axis} differ. Build the older tables with the current program and compare with that version.`;
    throw new CompareRefusal(message);
  }
}

function versionOf({ artifactVersion, referenceYear, losses }: Manifest) {
  return { version: artifactVersion, referenceYear, losses };
}

function compareSources(before: Manifest, after: Manifest) {
  const sums = ({ sources }: Manifest) =>
    new Map(sources.map(({ name, sha256 }) => [name, sha256] as const));
  const [old, now] = [sums(before), sums(after)];
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].flatMap(([name, sha256]) =>
      old.has(name) && old.get(name) !== sha256 ? [name] : [],
    ),
  };
}

/**
 * Surveys that appeared or vanished, and surveys whose people or dimensions changed, with the dimensions that only one
 * version has. If the people changed, these are all dimensions.
 */
function compareSurveys(before: Manifest, after: Manifest) {
  const [old, now] = [namedSurveys(before), namedSurveys(after)];
  const keys = [...new Set([...now.keys(), ...old.keys()])];
  return keys.flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)];
    const { name, country, year } = (is ?? was) as NamedSurvey;
    const [had, has] = [was?.measurements ?? [], is?.measurements ?? []];
    const samePeople = was?.people.join() === is?.people.join();
    const measurements = [...new Set([...has, ...had])].filter((one) => {
      return !samePeople || !had.includes(one) || !has.includes(one);
    });
    if (measurements.length === 0) return [];
    const how = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    return [{ how, name, country, year, measurements }];
  });
}

interface NamedSurvey extends Omit<ManifestSurvey, 'measurements'> {
  readonly measurements: readonly string[];
}

function namedSurveys({ population, axes }: Manifest): ReadonlyMap<string, NamedSurvey> {
  return new Map(
    population.surveys.map((survey) => {
      const measurements = survey.measurements.map((index) => axes.measurements[index]);
      return [`${survey.name}|${survey.country}|${survey.year}`, { ...survey, measurements }];
    }),
  );
}

/** Models that appeared or vanished, and models whose ages changed. */
function compareModels(before: ArtifactViews, after: ArtifactViews): Jump[] {
  const jumps: Jump[] = [];
  after.manifest.axes.measurements.forEach((measurement, m) => {
    GENDERS.forEach((gender, g) => {
      const at = dimensionRow(m, g);
      const [had, has] = [before, after].map(({ block }) => block[at] !== NO_BLOCK);
      const [old, now] = [before, after].map(
        ({ ageMinYears, ageMaxYears }) => `${ageMinYears[at]} to ${ageMaxYears[at]} years`,
      );
      const what = `${measurement} ${gender}`;
      if (had && !has) jumps.push({ rule: 'model', what, count: 1, detail: 'the model vanished' });
      else if (!had && has) {
        jumps.push({ rule: 'model', what, count: 1, detail: `a model appeared, ${now}` });
      } else if (had && old !== now) {
        jumps.push({ rule: 'model', what, count: 1, detail: `ages ${old}, now ${now}` });
      }
    });
  });
  return jumps;
}

function compareCorrelations(before: ArtifactViews, after: ArtifactViews) {
  const { measurements, correlationAgesYears } = after.manifest.axes;
  const size = measurements.length;
  const moved: MovedCorrelation[] = [];
  let [pairs, sum] = [0, 0];
  correlationAgesYears.forEach((ageYears, age) => {
    GENDERS.forEach((gender, g) => {
      const has = (name: number) =>
        [before, after].every(({ block }) => block[dimensionRow(name, g)] !== NO_BLOCK);
      for (let a = 0; a < size; a++) {
        for (let b = 0; b < a; b++) {
          if (!has(a) || !has(b)) continue;
          const at = correlationIndex(size, age, g, a, b);
          const [old, now] = [before.rho[at], after.rho[at]];
          pairs += 1;
          sum += Math.abs(now - old);
          if (Math.abs(now - old) <= JUMP.correlation) continue;
          const [anchor = '', linked = ''] = [measurements[a], measurements[b]];
          const values = { before: round(old), after: round(now) };
          moved.push({ gender, ageYears, anchor, linked, ...values });
        }
      }
    });
  });
  moved.sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  return { pairs, meanAbs: round(sum / Math.max(1, pairs)), moved };
}

function correlationJumps(moved: readonly MovedCorrelation[]): Jump[] {
  const ofMatrix = groups(moved, ({ gender, ageYears }) => `${gender}, ${ageYears} years`);
  return ofMatrix.map(([what, pairs]) => {
    const { anchor, linked, before, after } = pairs[0];
    const detail = `${anchor} with ${linked}: ${before.toFixed(2)} → ${after.toFixed(2)}`;
    return { rule: 'correlation', what, count: pairs.length, detail };
  });
}

function compareAllowances(before: ArtifactViews, after: ArtifactViews): MovedAllowance[] {
  const columns = [
    { ids: CLOTHING_IDS, shift: 'clothingShiftMm', sd: 'clothingSdMm' },
    { ids: POSTURE_IDS, shift: 'postureShiftMm', sd: 'postureSdMm' },
  ] as const;
  const moved: MovedAllowance[] = [];
  after.manifest.axes.measurements.forEach((measurement, m) => {
    GENDERS.forEach((gender, g) => {
      const row = dimensionRow(m, g);
      if ([before, after].some(({ block }) => block[row] === NO_BLOCK)) return;
      for (const { ids, ...names } of columns) {
        ids.forEach((profile, i) => {
          for (const what of ['shift', 'sd'] as const) {
            const at = profileIndex(ids.length, row, i);
            const [beforeMm, afterMm] = [before, after].map((views) =>
              round(views[names[what]][at]),
            ) as [number, number];
            if (Math.abs(afterMm - beforeMm) <= ROUNDING_MM) continue;
            moved.push({ measurement, gender, profile, what, beforeMm, afterMm });
          }
        });
      }
    });
  });
  const byMm = (a: MovedAllowance) => Math.abs(a.afterMm - a.beforeMm);
  return moved.sort((a, b) => byMm(b) - byMm(a));
}

function allowanceJumps(moved: readonly MovedAllowance[]): Jump[] {
  const far = moved.filter((a) => Math.abs(a.afterMm - a.beforeMm) > JUMP.allowanceMm);
  const ofProfile = groups(far, ({ profile, what }) => `${profile} ${what}`);
  return ofProfile.map(([what, list]) => {
    const { measurement, gender, beforeMm, afterMm } = list[0];
    const detail = `${measurement} ${gender}: ${beforeMm.toFixed(1)} → ${afterMm.toFixed(1)} mm`;
    return { rule: 'allowance', what, count: list.length, detail };
  });
}

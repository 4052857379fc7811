import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Packed, packRelease } from '../../src/artifacts/pack.js';
import { archiveName, RELEASE_FILES } from '../../src/artifacts/release-format.js';
import { FILES, type Manifest } from '../../src/lookup/format.js';
import { currentVersion, listVersions, verifyVersion } from '../../src/lookup/open-artifact.js';
import type { ArtifactViews } from '../../src/lookup/reader.js';
import { type Comparison, compareArtifacts } from '../compare/compare.js';
import { openToCompare } from '../compare/open.js';
import { compareMarkdown } from '../compare/report.js';
import { evaluate } from '../evaluate/evaluation.js';
import { ACCURACY_DIR, keepAccuracy, knownAccuracy } from '../evaluate/known-accuracy.js';
import { fullReport } from '../evaluate/report.js';
import { optionalSources, PipelineRefusal, withBuilt } from '../run.js';

/** Options of a release. */
export interface ReleaseOptions {
  readonly rawDir: string;
  readonly artifactsDir: string;
  /** The version to release; by default the current one. */
  readonly version?: string | undefined;
  /** Version to compare with, or its folder; false for no comparison. By default, the newest other version. */
  readonly previous?: string | false | undefined;
  readonly to: string;
  readonly progress: (stage: string) => void;
}

/** A finished release. */
export interface Release extends Packed {
  readonly version: string;
  readonly archive: string;
  readonly comparison: Comparison | undefined;
}

/**
 * Makes the archive of a version. It verifies the version, and builds it again to prove that the current tables and
 * program give this version. It evaluates the version, and compares it with an older one.
 *
 * @throws PipelineRefusal, CompareRefusal or ArtifactError, whose messages explain
 */
export async function release(options: ReleaseOptions): Promise<Release> {
  const { artifactsDir, rawDir, to, progress } = options;
  const version = options.version ?? currentVersion(artifactsDir);
  if (version === undefined || !listVersions(artifactsDir).includes(version)) {
    const known = listVersions(artifactsDir).join(', ') || 'none';
    const message = `There is no ${version ?? 'current version'} in ${artifactsDir}; versions there: ${known}. Build one with npm run pipeline.`;
    throw new PipelineRefusal(message);
  }
  const folder = join(artifactsDir, version);
  progress('verifying');
  const views = verifyVersion(folder);
  const previous = options.previous ?? newestOther(artifactsDir, version);
  const older = previous === false ? undefined : openToCompare(artifactsDir, previous);
  const comparison = older === undefined ? undefined : compareArtifacts(older, views);
  let shown = '';
  await proveBuilt(rawDir, views.manifest, (_, stage) => {
    if (stage !== shown) progress(`building it again: ${stage}`);
    shown = stage;
  });
  const accuracy = await accuracyOf(rawDir, views, progress);
  const texts: Record<string, string> = { [RELEASE_FILES.accuracy]: accuracy };
  if (comparison !== undefined) {
    texts[RELEASE_FILES.compareJson] = json(comparison);
    texts[RELEASE_FILES.compareText] = compareMarkdown(comparison);
  }
  progress('packing');
  mkdirSync(to, { recursive: true });
  const archive = join(to, archiveName(version));
  return { version, archive, comparison, ...(await packRelease(folder, texts, archive)) };
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** The newest version except the one to release; false if there is none. */
function newestOther(artifactsDir: string, version: string): string | false {
  const builtMs = (name: string) => {
    const path = join(artifactsDir, name, FILES.manifest);
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  };
  const others = listVersions(artifactsDir).filter((name) => name !== version);
  return others.sort((a, b) => builtMs(b) - builtMs(a))[0] ?? false;
}

function withoutOf(rawDir: string, { sources }: Manifest): string[] {
  const used = new Set(sources.map(({ name }) => name));
  return optionalSources(rawDir).filter((name) => !used.has(name));
}

/**
 * Proves that the current tables and program give this version. The accuracy comes from a fit made now, so it is the
 * accuracy of this version only if the fit gives this version.
 */
async function proveBuilt(
  rawDir: string,
  manifest: Manifest,
  progress: (share: number, stage: string) => void,
): Promise<void> {
  const without = withoutOf(rawDir, manifest);
  await withBuilt({ rawDir, without, progress }, (_, version) => {
    if (version === manifest.artifactVersion) return;
    const message = `The current tables and program give ${version}, not ${manifest.artifactVersion}. Build with npm run pipeline and release that version.`;
    throw new PipelineRefusal(message);
  });
}

/** The report on the accuracy, or the reason why there is no report. */
async function accuracyOf(
  rawDir: string,
  views: ArtifactViews,
  progress: (stage: string) => void,
): Promise<string> {
  if (views.manifest.losses.length > 0) {
    return json({ evaluated: false, because: 'Only builds with all sources are evaluated.' });
  }
  const known = knownAccuracy(rawDir, ACCURACY_DIR);
  if (known !== undefined) {
    progress('accuracy: that of npm run evaluate, with the same tables and program');
    return known;
  }
  progress('evaluating, which takes several minutes');
  const evaluation = await evaluate(rawDir, views, (stage) => progress(`evaluating: ${stage}`));
  const report = fullReport(evaluation);
  keepAccuracy(rawDir, ACCURACY_DIR, report);
  return report;
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FILES } from '../../src/lookup/format.js';
import { currentVersion } from '../../src/lookup/open-artifact.js';
import { MORE_ROOM, programWords, ROOT } from './build.js';

/** Folders of the pipeline that a build does not import. */
const NOT_BUILT = ['evaluate', 'import', 'release', 'study'].map((name) =>
  join(ROOT, 'pipeline', name, '/'),
);
/** Sources of an artifact. Of `src/render`, the build uses the depth maps. */
const ORIGINS = [
  ...['data/raw', 'pipeline', 'src/core', 'src/lookup', 'src/body'],
  ...['src/render/camera.ts', 'src/render/depth-map.ts'],
  'package-lock.json',
];
/** Artifacts that earlier runs built, in a folder for the sources of each. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'artifacts');

/**
 * Artifacts of the present sources: those in `data/artifacts` if they are newer than all sources, or else those that an
 * earlier run built from the same sources. If there are none, they are built.
 */
export async function artifactsOfSources(): Promise<string> {
  const files = ORIGINS.flatMap(filesOf).filter(
    (path) => !NOT_BUILT.some((folder) => path.startsWith(folder)),
  );
  const own = join(ROOT, 'data', 'artifacts');
  if (files.every((path) => statSync(path).mtimeMs < builtMs(own))) return own;
  const folder = join(CACHE, hashOf(files));
  // A build makes its version current when it is complete.
  if (currentVersion(folder) === undefined) {
    rmSync(CACHE, { recursive: true, force: true });
    const words = [...programWords('pipeline/main'), '--artifacts', folder];
    await promisify(execFile)(process.execPath, [MORE_ROOM, ...words]);
  }
  return folder;
}

/** Hash of files and of the version of Node. */
function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of files) hash.update(path.slice(ROOT.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/**
 * A file that follows from sources alone. The first worker that needs it makes it; later workers and runs read it.
 *
 * @param origins files and folders of the sources, from the folder of the project
 */
export async function fileOfSources(
  name: string,
  origins: readonly string[],
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const folder = join(ROOT, 'node_modules', '.cache', name);
  const file = join(folder, hashOf(origins.flatMap(filesOf)));
  if (!existsSync(file)) {
    const bytes = await make();
    mkdirSync(folder, { recursive: true });
    // Another worker may make it at the same time.
    writeFileSync(`${file}.${process.pid}`, bytes);
    renameSync(`${file}.${process.pid}`, file);
  }
  return new Uint8Array(readFileSync(file));
}

/** When the current version of a folder was built; 0 if there is none. */
function builtMs(folder: string): number {
  const version = currentVersion(folder);
  if (version === undefined) return 0;
  const file = join(folder, version, FILES.manifest);
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** A file, or all files of a folder in the order of their names. */
function filesOf(origin: string): string[] {
  const path = join(ROOT, origin);
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** With more room for new objects than 16 MiB, the evaluation of the model needs a fifth less time. */
export const MORE_ROOM = '--max-semi-space-size=64';

const DIST = join(ROOT, 'dist');
/** Written with the other generated files of the clients. */
const GENERATED = 'clients/typescript/src/generated';
const SYNC_SOURCE = 'clients/python/vitruvia/_async.py';

/**
 * Whether the build is newer than all its sources. Tests then run the build, as users do. A process or thread starts
 * from the build in a fifth of the time.
 */
export function isBuildFresh(): boolean {
  const record = statSync(join(DIST, 'build.tsbuildinfo'), { throwIfNoEntry: false });
  const built = record?.mtimeMs ?? 0;
  const isOlder = (path: string) =>
    (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < built;
  return (
    ['src', 'pipeline'].every((folder) =>
      filesOf(join(ROOT, folder)).every((name) => isOlder(join(ROOT, folder, name))),
    ) &&
    filesOf(join(DIST, 'test'))
      .filter((name) => name.endsWith('.js'))
      .every((name) => isOlder(join(ROOT, 'test', name.replace(/js$/, 'ts'))))
  );
}

/** Whether the pages for browsers and the bundled packages are newer than their sources, too. */
export function isEverythingBuilt(): boolean {
  const built =
    statSync(join(DIST, 'web', 'manifest.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const folders = ['src', 'web', 'clients/generate', GENERATED, 'data/raw/allowances'];
  const sources = folders.flatMap((folder) =>
    filesOf(join(ROOT, folder)).map((name) => join(ROOT, folder, name)),
  );
  const rules = ['package-lock.json', 'tools/bundle-packages.js', 'vite.config.ts', SYNC_SOURCE];
  const makers = ['tools/build-documents.ts', 'tools/list-metrics.ts'];
  const documents = [...makers, 'deploy/alerts.yaml', 'docs/metrics.md'];
  return (
    existsSync(join(ROOT, GENERATED)) &&
    isBuildFresh() &&
    [...sources, ...[...rules, ...documents].map((name) => join(ROOT, name))].every(
      (path) => statSync(path).mtimeMs < built,
    )
  );
}

function filesOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
}

/**
 * Arguments of Node for a program of the project, or for a child process of a test (`test/**\/*-child.ts`). The program
 * runs from the build if that is up to date, otherwise from the sources.
 *
 * @param program path of its source without the extension, such as `src/cli`
 */
export function programWords(program: string): readonly string[] {
  const built = join(DIST, `${program}.js`);
  // An older build does not contain a new child process.
  if (isBuildFresh() && existsSync(built)) return [built];
  return ['--import', 'tsx', join(ROOT, `${program}.ts`)];
}

/**
 * The compiled module for a relative import of a test. It exists for modules of the service, of the pipeline, and of
 * operations for the threads of a pool. Undefined for all other imports.
 *
 * @param path absolute path of the import, which ends with `.js`
 */
export function builtModule(path: string): string | undefined {
  if (!path.startsWith(ROOT)) return undefined;
  const inside = path.slice(ROOT.length);
  if (!/^(src|pipeline)\/|^test\/support\/[a-z]+-operations\.js$/.test(inside)) return undefined;
  const built = join(DIST, inside);
  return existsSync(built) ? built : undefined;
}

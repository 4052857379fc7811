import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Whether the build is younger than every source: run from it, a process starts much faster. */
export function isBuildFresh(): boolean {
  const record = statSync(join(ROOT, 'dist/build.tsbuildinfo'), { throwIfNoEntry: false });
  const built = record?.mtimeMs ?? 0;
  const files = ['src', 'pipeline'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) =>
      join(ROOT, folder, String(name)),
    ),
  );
  return files.every((file) => statSync(file).mtimeMs < built);
}

/**
 * Words of Node's command line for one of the project's programs, from the build if that is fresh.
 *
 * @param program path of its source without the ending, such as `src/cli`
 */
export function programWords(program: string): readonly string[] {
  if (isBuildFresh()) return [join(ROOT, 'dist', `${program}.js`)];
  return ['--import', 'tsx', join(ROOT, `${program}.ts`)];
}

/**
 * Words of Node's command line for a child in plain JavaScript that imports the service's modules
 * from the folder named by its first argument: the build's, or the sources'.
 */
export function serviceChildWords(script: string): readonly string[] {
  const fresh = isBuildFresh();
  const folder = pathToFileURL(join(ROOT, fresh ? 'dist/src' : 'src', '/')).href;
  return fresh ? [script, folder] : ['--import', 'tsx', script, folder];
}

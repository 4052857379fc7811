import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Whether the build is newer than all sources; a process starts much faster from the build. */
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
 * Arguments of Node for one of the project's programs: from the build if it is up to date, otherwise
 * from the sources.
 *
 * @param program path of its source without the extension, such as `src/cli`
 */
export function programWords(program: string): readonly string[] {
  if (isBuildFresh()) return [join(ROOT, 'dist', `${program}.js`)];
  return ['--import', 'tsx', join(ROOT, `${program}.ts`)];
}

/**
 * Arguments of Node for a child process in plain JavaScript. Its first argument is the folder from
 * which it imports the service's modules: the build or the sources.
 */
export function serviceChildWords(script: string): readonly string[] {
  const fresh = isBuildFresh();
  const folder = pathToFileURL(join(ROOT, fresh ? 'dist/src' : 'src', '/')).href;
  return fresh ? [script, folder] : ['--import', 'tsx', script, folder];
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FILES } from '../../src/lookup/format.js';
import { currentVersion } from '../../src/lookup/open-artifact.js';
import { ROOT } from './build.js';

/** What an artifact is built from. */
const ORIGINS = ['data/raw', 'pipeline', 'src/core', 'src/lookup'];

/**
 * The artifacts in `data/artifacts`, if the current version is newer than all its sources. Undefined in a fresh clone,
 * and if the model has changed since the last build.
 */
export function ownArtifacts(): string | undefined {
  const folder = join(ROOT, 'data', 'artifacts');
  const version = currentVersion(folder);
  if (version === undefined) return undefined;
  const manifest = statSync(join(folder, version, FILES.manifest), { throwIfNoEntry: false });
  const builtMs = manifest?.mtimeMs ?? 0;
  const isOlder = (path: string) => statSync(path).mtimeMs < builtMs;
  const areOlder = ORIGINS.map((origin) => join(ROOT, origin)).every((origin) =>
    readdirSync(origin, { recursive: true }).every((name) => isOlder(join(origin, String(name)))),
  );
  return areOlder ? folder : undefined;
}

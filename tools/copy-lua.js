// The last step of the build for the service. tsc copies only TypeScript, but the program reads the scripts for Redis
// from beside the compiled code.
import { cpSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
cpSync(`${project}src`, `${project}dist/src`, {
  recursive: true,
  filter: (path) => path.endsWith('.lua') || statSync(path).isDirectory(),
});

// If nothing changed, tsc does not touch its record. The time of the record says how new the build is.
utimesSync(`${project}dist/build.tsbuildinfo`, new Date(), new Date());

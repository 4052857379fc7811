// The last step of the build for the service: tsc leaves what is not TypeScript behind, and the
// scripts Redis runs are read from beside the compiled code.
import { cpSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
cpSync(`${project}src`, `${project}dist/src`, {
  recursive: true,
  filter: (path) => path.endsWith('.lua') || statSync(path).isDirectory(),
});

// tsc leaves its record as it is when nothing changed. Its time says how new the build is.
utimesSync(`${project}dist/build.tsbuildinfo`, new Date(), new Date());

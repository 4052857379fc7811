// Turns allowed-imports.json into rules: which folder may import which, and which packages belong to
// which folders. `npm run check:imports` refuses every import that is not listed there and every
// import circle. docs/architecture.md explains the folders.
import { readFileSync } from 'node:fs';

const { mayImport, onlyIn } = JSON.parse(
  readFileSync(new URL('./allowed-imports.json', import.meta.url), 'utf8'),
);

/** Pattern of paths: a folder stands for everything in it. */
function under(places) {
  const names = places.map((place) =>
    place.endsWith('.ts') ? `${place.replaceAll('.', '\\.')}$` : `${place}/`,
  );
  return `^(${names.join('|')})`;
}

const folderRules = Object.entries(mayImport).map(([place, others]) => ({
  name: `${place} imports only ${others.join(', ') || 'itself'}`,
  severity: 'error',
  from: { path: under([place]) },
  to: {
    path: '^(src|web|pipeline|clients|bench|test)/',
    pathNot: under([place, ...others]),
  },
}));

const packageRules = Object.entries(onlyIn).map(([name, places]) => ({
  name: `${name} only in ${places.join(', ')}`,
  severity: 'error',
  from: { path: '^(src|web|pipeline|bench)/', pathNot: under(places) },
  to: { path: `node_modules/${name}(/|$)` },
}));

/** What only a browser has. */
const BROWSER = '^(web/|src/screens/(widgets|[a-z]+/browser)/)';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no import circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'every folder is listed in allowed-imports.json',
      severity: 'error',
      from: {
        path: '^(src|web|pipeline|clients|bench)/',
        pathNot: under(Object.keys(mayImport)),
      },
      to: {},
    },
    {
      name: 'only browsers and tests import what runs in the browser',
      severity: 'error',
      from: { path: '^(src|pipeline|clients|bench)/', pathNot: BROWSER },
      to: { path: BROWSER },
    },
    ...folderRules,
    ...packageRules,
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    // Types count: a folder that needs the types of another depends on it.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};

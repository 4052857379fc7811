// Bundles packages of many small modules into a few files below dist/node_modules. The built program finds these files
// before the installed packages. At the start, finding, reading and linking 1,800 modules took longer than everything
// else. A package that is not bundled works, too, but loads more slowly.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** The packages, with the entry points that the program imports. */
const PACKAGES = {
  '@fastify/cookie': ['.'],
  '@fastify/formbody': ['.'],
  '@fastify/helmet': ['.'],
  '@fastify/rate-limit': ['.'],
  '@fastify/static': ['.'],
  '@fastify/swagger': ['.'],
  '@modelcontextprotocol/server': ['.', './stdio', './validators/ajv'],
  '@stdlib/stats-base-dists-chisquare-cdf': ['.'],
  '@stdlib/stats-base-dists-normal-cdf': ['.'],
  '@stdlib/stats-base-dists-normal-quantile': ['.'],
  'apache-arrow': ['.'],
  commander: ['.'],
  'csv-stringify': ['./sync'],
  'fast-json-stringify': ['.'],
  fastify: ['.'],
  'find-my-way': ['.'],
  kysely: ['.'],
  typebox: ['.', './compile', './system', './value'],
};

const folder = fileURLToPath(new URL('../dist/node_modules', import.meta.url));
// The files are in one folder below the package, like those of packages that read their own files.
const fileOf = (entry) => `lib/${entry.slice(2).replaceAll('/', '-') || 'index'}.js`;

rmSync(folder, { recursive: true, force: true });
const input = Object.entries(PACKAGES).flatMap(([name, entries]) =>
  entries.map((entry) => [`${name}/${fileOf(entry)}`, name + entry.slice(1)]),
);
await build({
  input: Object.fromEntries(input),
  platform: 'node',
  logLevel: 'warn',
  output: {
    dir: folder,
    entryFileNames: '[name]',
    chunkFileNames: '.shared/[name]-[hash].js',
    banner: 'const __dirname = import.meta.dirname;',
    // Names are kept, so that a stack trace says where an error came from.
    minify: { compress: false, mangle: false },
  },
});
for (const [name, entries] of Object.entries(PACKAGES)) {
  const exports = Object.fromEntries(entries.map((entry) => [entry, `./${fileOf(entry)}`]));
  mkdirSync(`${folder}/${name}`, { recursive: true });
  writeFileSync(
    `${folder}/${name}/package.json`,
    JSON.stringify({ name, type: 'module', exports }),
  );
}
// Without this file, Node would read each shared file a second time to find out whether it is a module.
writeFileSync(`${folder}/.shared/package.json`, JSON.stringify({ type: 'module' }));

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import subsetFont from 'subset-font';
import { defineConfig, type Plugin } from 'vite';
import { DARK_SERIES, SERIES } from './src/site/drawing-colours.js';

const root = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('./dist/web', import.meta.url));

/** The styles of every page, and the scripts of pages: `web/<page>/main.ts` and `src/screens/<name>/browser/main.tsx` or `sheet.tsx`. */
function entries(): string[] {
  const scripts = [
    'web/*/main.ts',
    'src/screens/*/browser/main.tsx',
    'src/screens/*/browser/sheet.tsx',
  ].flatMap((pattern) => {
    const [folder, rest] = pattern.split('/*/') as [string, string];
    return readdirSync(join(root, folder)).map((name) => join(root, folder, name, rest));
  });
  return [join(root, 'web', 'styles', 'site.css'), ...scripts.filter(existsSync)];
}

/** The colours of series in light and in dark, and the class of each, which all parts of a series have. */
function seriesStyles(): string {
  const tokens = (colours: readonly string[]) =>
    colours.map((colour, i) => `--series-${i + 1}: ${colour};`).join('');
  return [
    `:root {${tokens(SERIES)}}`,
    `@media (prefers-color-scheme: dark) { :root:not(.light-colours) {${tokens(DARK_SERIES)}} }`,
    ...SERIES.map((_, i) => `.series-${i + 1} { --series: var(--series-${i + 1}); }`),
  ].join('\n');
}

/** Writes each asset compressed beside itself: done once here, and not for every visitor. */
function compress(): Plugin {
  return {
    name: 'compress',
    // `closeBundle` would also run after a fault, and hide it behind its own.
    writeBundle() {
      const folder = join(outDir, 'assets');
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|svg)$/.test(name)) continue;
        const bytes = readFileSync(join(folder, name));
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** What only a server has. */
const SERVER =
  /\/src\/(operations|request|table-formats|ledger|billing|accounts|payments|email|api|mcp)\//;

/** Refuses scripts that contain modules of the server. Types leave nothing in a script. */
function withoutServer(): Plugin {
  return {
    name: 'without-server',
    load(id) {
      if (SERVER.test(id)) this.error(`${id} is a module of the server. No page may load it.`);
    },
  };
}

/** Characters that nearly every page has. All others are in the files of the font's package. */
const BASIC =
  'U+20-7E,U+A0,U+B0,U+B1,U+B2,U+B7,U+D7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026,U+2212';
const FONT =
  'node_modules/@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2';

/**
 * Adds a small file of the font with the basic characters in the weights that the pages use. It comes after the files of
 * the package, so it is used for these characters, and a page loads the others only if it has other characters.
 */
function basicFont(): Plugin {
  const folder = join(root, 'dist', 'fonts');
  const file = join(folder, 'public-sans-basic.woff2');
  return {
    name: 'basic-font',
    enforce: 'pre',
    async buildStart() {
      const characters = BASIC.split(',').flatMap((range) => {
        const [first = 0, last = first] = range
          .slice(2)
          .split('-')
          .map((code) => Number.parseInt(code, 16));
        return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
      });
      const write = async (name: string, wght: number | object) => {
        const font = await subsetFont(readFileSync(join(root, FONT)), characters.join(''), {
          targetFormat: 'woff2',
          variationAxes: { wght: wght as number },
        });
        writeFileSync(name, font);
      };
      mkdirSync(folder, { recursive: true });
      await write(file, { min: 400, max: 700, default: 400 });
      // Pictures within pages cannot use the fonts of the page.
      await write(join(folder, 'public-sans-labels.woff2'), 600);
    },
    transform(code, id) {
      if (!id.endsWith('styles/site.css')) return undefined;
      return `${code}
${seriesStyles()}
@font-face {
  font-family: 'Public Sans Variable';
  font-display: swap;
  font-weight: 100 900;
  src: url('${file}') format('woff2-variations');
  unicode-range: ${BASIC};
}`;
    },
  };
}

/** Modules that have the names of dimensions and countries. */
const NAMES =
  /core\/(measurements|body-regions|countries|country-sets|readings)|combobox|place-options|dimension-fields|together|person\/address|population-columns/;
/** Modules of the screens without these names. */
const BASIS = (id: string) =>
  /\/src\/|preact|d3/.test(id) && !NAMES.test(id) && !/products\//.test(id);

export default defineConfig({
  root,
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The policy of the pages lets nothing in from data: but images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // three.js, which only the screen of a person loads, has more than the usual 500 kB.
    chunkSizeWarningLimit: 600,
    // Compressing takes half of the build, so no warning is needed.
    rolldownOptions: {
      input: entries(),
      checks: { bundlerTimings: false },
      // What most screens share is one file. With a file for each module, a phone waits for twenty answers.
      output: {
        codeSplitting: {
          groups: [
            // The documents need this too, and the first page the next one, and nothing else of the screens.
            { name: 'key', test: /example-key/, priority: 3 },
            { name: 'common', test: /preload-helper|ask-again/, priority: 3 },
            // Reach shows no dimensions and no other products.
            { name: 'scenes', test: /products\/scenes/, priority: 3 },
            { name: 'screens', test: BASIS, tags: ['$initial'], minShareCount: 3, priority: 2 },
            { name: 'names', test: NAMES, tags: ['$initial'], minShareCount: 2, priority: 1 },
            { name: 'products', test: /src\/products/ },
          ],
        },
      },
    },
  },
  plugins: [withoutServer(), basicFont(), compress()],
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('./dist/web', import.meta.url));

/** The styles of every page, and the scripts of pages: `web/<page>/main.ts` and `src/screens/<name>/browser/main.tsx`. */
function entries(): string[] {
  const scripts = ['web/*/main.ts', 'src/screens/*/browser/main.tsx'].flatMap((pattern) => {
    const [folder, rest] = pattern.split('/*/') as [string, string];
    return readdirSync(join(root, folder)).map((name) => join(root, folder, name, rest));
  });
  return [join(root, 'web', 'styles', 'site.css'), ...scripts.filter(existsSync)];
}

/** Writes each asset compressed beside itself: done once here, and not for every visitor. */
function compress(): Plugin {
  return {
    name: 'compress',
    closeBundle() {
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
    rolldownOptions: { input: entries() },
  },
  plugins: [compress()],
});

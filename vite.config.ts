import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('./web', import.meta.url));
const outDir = fileURLToPath(new URL('./dist/web', import.meta.url));

/** The styles of every page, and each folder's `main.ts` or `main.tsx`: the script of a page. */
function entries(): string[] {
  const scripts = readdirSync(root).flatMap((folder) =>
    ['main.ts', 'main.tsx'].map((file) => join(root, folder, file)).filter(existsSync),
  );
  return [join(root, 'styles', 'site.css'), ...scripts];
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

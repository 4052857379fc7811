import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { projectDir } from '../core/project-dir.js';

/** Where the build puts the browser's side: a manifest, and the files in `assets/`. */
const WEB_DIR = join(projectDir(), 'dist', 'web');
const YEAR_MS = 365 * 24 * 3600 * 1000;

/** One file of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** What a page's head names, as paths. */
export interface PageAssets {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Modules the scripts import, to be fetched along with them. */
  readonly preloads: readonly string[];
}

let manifest: Readonly<Record<string, Chunk>> | undefined;

function chunk(name: string): Chunk {
  manifest ??= JSON.parse(readFileSync(join(WEB_DIR, 'manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const found = manifest[name];
  if (found === undefined) throw new Error(`${name} is not in dist/web: run npm run build`);
  return found;
}

/**
 * Hashed files of a page: the styles of all pages, and an entry of its own.
 *
 * @param entry folder of `web/` whose `main.tsx` or `main.ts` runs on the page, as `explore/main.tsx`
 */
export function pageAssets(entry?: string): PageAssets {
  const site = chunk('styles/site.css');
  const styles = [site.file];
  const scripts: string[] = [];
  const preloads = new Set<string>();
  if (entry !== undefined) {
    const main = chunk(entry);
    scripts.push(main.file);
    collect(main, styles, preloads);
  }
  const path = (file: string) => `/${file}`;
  return {
    scripts: scripts.map(path),
    styles: styles.map(path),
    preloads: [...preloads].map(path),
  };
}

function collect({ css = [], imports = [] }: Chunk, styles: string[], preloads: Set<string>): void {
  styles.push(...css.filter((file) => !styles.includes(file)));
  for (const name of imports) {
    const imported = chunk(name);
    if (preloads.has(imported.file)) continue;
    preloads.add(imported.file);
    collect(imported, styles, preloads);
  }
}

/** Serves the hashed files under `/assets/`: for ever the same, and compressed by the build. */
export async function assetRoutes(app: FastifyInstance): Promise<void> {
  const { default: serveStatic } = await import('@fastify/static');
  await app.register(serveStatic, {
    root: join(WEB_DIR, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_MS,
    index: false,
    decorateReply: false,
    schemaHide: true,
  });
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { projectDir } from '../core/project-dir.js';

/** Output of the Vite build: a manifest, and scripts and styles in `assets/`. */
const WEB_DIR = join(projectDir(), 'dist', 'web');
/** The font file that every page needs. Browsers load the other font files only for other characters. */
const BASIC_FONT = /-basic-[\w-]+\.woff2$/;
const YEAR_MS = 365 * 24 * 3600 * 1000;

/** One entry of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
  readonly imports?: readonly string[];
}

/** Paths of the files that the head of a page refers to. */
export interface PageAssets {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Modules that the scripts import, to preload them. */
  readonly preloads: readonly string[];
  /** Font files that every page needs, to preload them. */
  readonly fonts: readonly string[];
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
 * The hashed files of a page: the common styles, and the script of the page with its styles.
 *
 * @param entry script of the page, such as `web/docs/main.ts`
 */
export function pageAssets(entry?: string): PageAssets {
  const site = chunk('web/styles/site.css');
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
    fonts: (site.assets ?? []).filter((file) => BASIC_FONT.test(file)).map(path),
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

/** Serves the hashed files under `/assets/`. They never change. The build has compressed them. */
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

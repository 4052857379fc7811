import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { cellIndex, gridSize } from '../../src/lookup/cell.js';
import { adultAges, type Manifest } from '../../src/lookup/format.js';
import { programWords, ROOT } from '../support/build.js';

/** Sources that tests leave out of a build. */
export const LEFT_OUT = [
  ...['ncdrisc-2020', 'ncdrisc-2024-bmi-years', 'makehuman'],
  ...['jme2021', 'lbw2023', 'who2006'],
];

/** Result of a finished build. */
export interface BuildOutcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Largest resident size, in bytes; 0 on systems that do not show it. */
  readonly peakBytes: number;
}

/** Largest resident size of a process so far, read from /proc. */
function peakBytesOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Runs a Node program to its end.
 *
 * @param program path of its source without the extension
 */
export async function runBuild(program: string, options: readonly string[]): Promise<BuildOutcome> {
  const child = spawn(process.execPath, [...programWords(program), ...options], { cwd: ROOT });
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakBytesOf(child.pid ?? 0));
  }, 100);
  try {
    const [stdout, stderr, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code, signal, stdout, stderr, peakBytes };
  } finally {
    clearInterval(timer);
  }
}

/** `npm run pipeline` into `artifactsDir`. */
export const buildAll = (artifactsDir: string, options: readonly string[] = []) =>
  runBuild('pipeline/main', ['--artifacts', artifactsDir, ...options]);

/** Builds only the numbers of `COMPUTED`, in less than half the time. */
export const buildSome = (artifactsDir: string, options: readonly string[] = []) =>
  runBuild('test/pipeline/build-child', ['--artifacts', artifactsDir, ...options]);

/** SHA-256 of every file of a version, except the stamp, which contains times. */
export function checksums(artifactsDir: string, version: string): Record<string, string> {
  const folder = join(artifactsDir, version);
  const names = readdirSync(folder).filter((name) => name !== 'verified.json');
  return Object.fromEntries(
    names.sort().map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, name)));
      return [name, hash.digest('hex')];
    }),
  );
}

/** The bytes of a country in a column. The rows of the column run over blocks or years, countries and ages. */
export function ofCountry(values: Float32Array, manifest: Manifest, country: string): Buffer {
  const size = gridSize(manifest);
  const index = COUNTRY_CODES.indexOf(country as (typeof COUNTRY_CODES)[number]);
  // The covariates have a row for each adult age. The other columns have a list for each age.
  const isGrid = values.length % cellIndex(size, 1, 0, 0) === 0;
  const length = isGrid ? cellIndex(size, 0, 1, 0) : adultAges(manifest).length;
  const parts: Buffer[] = [];
  for (let at = index * length; at < values.length; at += length * size.countries) {
    parts.push(Buffer.from(values.buffer, values.byteOffset + 4 * at, 4 * length));
  }
  return Buffer.concat(parts);
}

import { join } from 'node:path';
import { Command } from 'commander';
import { projectDir } from '../src/core/project-dir.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { predict } from '../src/operations/predict.js';
import { findLoad, type Load, type LoadResult } from './load.js';
import { measureLookups } from './lookup.js';
import { measureMcp } from './mcp.js';
import { type BenchServer, startBare, startVitruvia } from './servers.js';
import { slowFsyncLibrary } from './slow-fsync.js';

/** One line of the table: what was measured, and the floor or ceiling it is held to. */
interface Line {
  readonly measure: string;
  readonly value: number;
  readonly unit: string;
  readonly floor?: number;
  readonly ceiling?: number;
}

const SLOW_FSYNC_MS = 2;
const BODIES = [
  { measurement: 'Stature', gender: 'Female', age: 70, percentile: 95, country: 'JP' },
  { measurement: 'SittingHeight', gender: 'Male', age: 30, percentile: 5, country: 'NL' },
  { measurement: 'HandLength', gender: 'Female', age: 8.5, percentile: 50, unit: 'cm' },
  { measurement: 'HipBreadth', gender: 'Male', age: 45, percentile: 99, clothing: 'winter' },
].map((body) => JSON.stringify(body));

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** Loads a server; every answer must be 200. */
async function measured(load: Load, server: BenchServer, seconds: number): Promise<LoadResult> {
  const url = server.address + predict.path;
  const result = await load.send({ url, keys: server.keys, bodies: BODIES }, seconds);
  if (result.failures > 0) throw new Error(`${result.failures} requests failed at ${url}`);
  return result;
}

/** Rounds of the bare route and of another server in turn; median ratios within each round. */
async function ratios(
  load: Load,
  bare: BenchServer,
  server: BenchServer,
  { rounds, seconds }: { rounds: number; seconds: number },
) {
  await measured(load, bare, 2);
  await measured(load, server, 2);
  const pairs: { bare: LoadResult; own: LoadResult }[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await measured(load, bare, seconds);
    const own = await measured(load, server, seconds);
    pairs.push({ bare: before, own });
  }
  return {
    rate: median(pairs.map(({ bare, own }) => own.requestsPerSecond / bare.requestsPerSecond)),
    p99: median(pairs.map(({ bare, own }) => own.p99Ms / bare.p99Ms)),
    bareRate: median(pairs.map(({ bare }) => bare.requestsPerSecond)),
    ownRate: median(pairs.map(({ own }) => own.requestsPerSecond)),
  };
}

function lookupLines(artifactsDir: string): Line[] {
  const opened = performance.now();
  const views = openArtifact(artifactsDir);
  const openMs = performance.now() - opened;
  const bytes = Object.values(views.manifest.files).reduce((sum, file) => sum + file.bytes, 0);
  const rates = measureLookups(views);
  return [
    { measure: 'artifacts', value: bytes / 1e6, unit: 'MB', ceiling: 250 },
    { measure: 'opening the artifacts', value: openMs, unit: 'ms', ceiling: 100 },
    { measure: 'predict', value: rates.predictPerSecond, unit: '/s', floor: 2_000_000 },
    { measure: 'invert', value: rates.invertPerSecond, unit: '/s', floor: 1_000_000 },
    { measure: 'condition', value: rates.conditionPerSecond, unit: '/s', floor: 300_000 },
  ];
}

async function httpLines(load: Load, plan: { rounds: number; seconds: number }): Promise<Line[]> {
  const lines: Line[] = [];
  const bare = await startBare();
  try {
    const own = await startVitruvia();
    try {
      const idle = own.residentBytes();
      const found = await ratios(load, bare, own, plan);
      const loaded = own.residentBytes();
      const pairs = await measureMcp(load, own, BODIES, plan);
      lines.push(
        { measure: 'listening after process start', value: own.startMs, unit: 'ms', ceiling: 1000 },
        { measure: 'bare Fastify route', value: found.bareRate, unit: '/s' },
        { measure: 'POST /v1/predict', value: found.ownRate, unit: '/s' },
        { measure: 'predict ÷ bare', value: found.rate, unit: '×', floor: 0.85 },
        { measure: 'p99 ÷ p99 of bare', value: found.p99, unit: '×', ceiling: 3 },
      );
      lines.push(
        {
          measure: 'p50 of POST /v1/predict',
          value: median(pairs.map(({ rest }) => rest)),
          unit: 'ms',
        },
        {
          measure: 'p50 of the tool predict',
          value: median(pairs.map(({ mcp }) => mcp)),
          unit: 'ms',
        },
        {
          measure: 'tool predict ÷ REST, p50',
          value: median(pairs.map(({ rest, mcp }) => mcp / rest)),
          unit: '×',
          ceiling: 2,
        },
      );
      if (idle !== undefined && loaded !== undefined) {
        lines.push({ measure: 'resident memory at start', value: idle / 1e6, unit: 'MB' });
        lines.push({ measure: 'resident memory under load', value: loaded / 1e6, unit: 'MB' });
      }
    } finally {
      await own.stop();
    }
    const library = slowFsyncLibrary(SLOW_FSYNC_MS);
    if (library === undefined) {
      process.stderr.write('no C compiler: the run with slow fsyncs is left out\n');
      return lines;
    }
    const slow = await startVitruvia(library);
    try {
      const found = await ratios(load, bare, slow, plan);
      const measure = `predict ÷ bare, each fsync + ${SLOW_FSYNC_MS} ms`;
      lines.push({ measure, value: found.rate, unit: '×', floor: 0.7 });
    } finally {
      await slow.stop();
    }
    return lines;
  } finally {
    await bare.stop();
  }
}

const met = ({ value, floor, ceiling }: Line): boolean =>
  (floor === undefined || value >= floor) && (ceiling === undefined || value <= ceiling);

function printTable(lines: readonly Line[]): void {
  const number = (value: number) =>
    value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
  for (const line of lines) {
    const { measure, value, unit, floor, ceiling } = line;
    const bound =
      floor !== undefined
        ? `≥ ${number(floor)}`
        : ceiling !== undefined
          ? `≤ ${number(ceiling)}`
          : '';
    const verdict = bound === '' ? '' : met(line) ? 'met' : 'MISSED';
    const cells = [measure.padEnd(36), `${number(value)} ${unit}`.padStart(14)];
    process.stdout.write(`${cells.join(' ')}   ${bound.padEnd(12)} ${verdict}\n`);
  }
}

interface Options {
  readonly json?: true;
  readonly rounds: string;
  readonly seconds: string;
  readonly only?: 'lookup' | 'http';
}

const options = new Command('bench')
  .description('Measures speed and size; ratios are taken within one run.')
  .option('--json', 'print one JSON document')
  .option('--rounds <n>', 'rounds of each comparison', '5')
  .option('--seconds <n>', 'seconds per round and server', '5')
  .option('--only <part>', 'lookup or http')
  .parse()
  .opts<Options>();

const load = await findLoad();
const plan = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
const artifactsDir = process.env.ARTIFACTS_DIR || join(projectDir(), 'data/artifacts');
const lines = [
  ...(options.only === 'http' ? [] : lookupLines(artifactsDir)),
  ...(options.only === 'lookup' ? [] : await httpLines(load, plan)),
];
if (options.json) {
  const results = lines.map((line) => ({ ...line, met: met(line) }));
  process.stdout.write(`${JSON.stringify({ loadGenerator: load.name, results }, null, 2)}\n`);
} else {
  process.stdout.write(`load generator: ${load.name}, 64 connections\n`);
  printTable(lines);
}
// A floor missed is a failed run, so that a script notices.
if (!lines.every(met)) process.exitCode = 1;

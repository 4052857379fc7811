import { BODIES, median, type Plan, type Ratios, ratios } from './compare.js';
import { AUTOCANNON, type Load } from './load.js';
import { measureMcp } from './mcp.js';
import { refusalLines } from './refusals.js';
import { type BenchServer, startBare, startVitruvia } from './servers.js';
import { slowFsyncLibrary } from './slow-fsync.js';
import type { Line } from './table.js';

const SLOW_FSYNC_MS = 2;
/** A request waits for a flush, so few connections cannot keep the server busy. */
const SLOW_CONNECTIONS = 256;
/** Relative difference up to which two load generators agree. */
const AGREEMENT = 0.1;

/** Compares one process on the embedded database with the bare route. */
export async function httpLines(load: Load, plan: Plan): Promise<Line[]> {
  const lines: Line[] = [];
  const bare = await startBare();
  try {
    const own = await startVitruvia();
    try {
      const idle = own.residentBytes();
      const found = await ratios(load, bare, own, plan);
      const loaded = own.residentBytes();
      const pairs = await measureMcp(load, own, BODIES, plan);
      const refusals = await refusalLines(load, own, plan);
      lines.push(
        { measure: 'listening after process start', value: own.startMs, unit: 'ms', ceiling: 700 },
        { measure: 'bare Fastify route', value: found.bareRate, unit: '/s' },
        { measure: 'POST /v1/predict', value: found.ownRate, unit: '/s' },
        { measure: 'predict ÷ bare', value: found.rate, unit: '×', floor: 0.88 },
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
      lines.push(...refusals);
      if (load.name === 'wrk') lines.push(...(await generatorLines(found, bare, own, plan)));
      if (idle !== undefined && loaded !== undefined) {
        lines.push({ measure: 'resident memory at start', value: idle / 1e6, unit: 'MB' });
        lines.push({ measure: 'resident memory under load', value: loaded / 1e6, unit: 'MB' });
      }
    } finally {
      await own.stop();
    }
    const library = slowFsyncLibrary(SLOW_FSYNC_MS);
    if (library === undefined) {
      process.stderr.write('no C compiler: the run with slow fsyncs is skipped\n');
      return lines;
    }
    const slow = await startVitruvia({ preload: library });
    try {
      const connections = SLOW_CONNECTIONS;
      const found = await ratios(load, bare, slow, { ...plan, connections });
      const measure = `predict ÷ bare, each fsync + ${SLOW_FSYNC_MS} ms, ${connections} connections`;
      lines.push({ measure, value: found.rate, unit: '×', floor: 0.7 });
    } finally {
      await slow.stop();
    }
    return lines;
  } finally {
    await bare.stop();
  }
}

/**
 * Measures the same ratio with autocannon. When both differ, the one that takes less processor time
 * from the servers is to be trusted: the generator shares the processor with them.
 */
async function generatorLines(
  wrk: Ratios,
  bare: BenchServer,
  own: BenchServer,
  plan: Plan,
): Promise<Line[]> {
  const other = await ratios(AUTOCANNON, bare, own, plan);
  if (Math.abs(other.rate / wrk.rate - 1) > AGREEMENT) {
    const trusted = wrk.generatorMicros < other.generatorMicros ? 'wrk' : 'autocannon';
    const used = `wrk ${wrk.generatorMicros.toFixed(1)} and autocannon ${other.generatorMicros.toFixed(1)}`;
    process.stderr.write(
      `The load generators differ. Trust ${trusted}: of the processor time that the servers lack, ${used} µs per request are the generator's.\n`,
    );
  }
  return [
    { measure: 'predict ÷ bare, by autocannon', value: other.rate, unit: '×' },
    { measure: 'autocannon ÷ wrk, that ratio', value: other.rate / wrk.rate, unit: '×' },
    { measure: 'CPU per request, wrk', value: wrk.generatorMicros, unit: 'µs' },
    { measure: 'CPU per request, autocannon', value: other.generatorMicros, unit: 'µs' },
  ];
}

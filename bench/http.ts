import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateApiKey } from '../src/accounts/api-key.js';
import { predict } from '../src/operations/predict.js';
import { mcpHeaders, rpc } from '../test/support/mcp.js';
import { ask } from './clients.js';
import { alternate, loaded, type Plan, PREDICTIONS, predictions, type Target } from './load.js';
import { memoryBytes } from './process.js';
import { newFile, type Server, startBare, startUnlimited } from './service.js';
import { atLeast, atMost, type Figure, figure } from './table.js';

/** A measurement with a spelling mistake, an unknown field, and an age outside the limits. */
const WRONG = [
  { measurement: 'Statur', gender: 'Female', age: 70, percentile: 95 },
  { measurement: 'SittingHeight', gender: 'Male', age: 30, percentile: 5, weight: 80 },
  { measurement: 'HandLength', gender: 'Female', age: 121, percentile: 50 },
].map((body) => JSON.stringify(body));

const SLOW_FSYNC_MS = 2;
/** Each request waits for a flush. A few connections would therefore not keep the server busy. */
const SLOW_CONNECTIONS = 256;

/** Compares one process on the embedded database with the bare route. */
export async function* http(plan: Plan): AsyncGenerator<Figure> {
  const bare = await startBare();
  const own = await startUnlimited();
  yield atMost(700, 'listening after process start', own.startMs, 'ms');
  const idle = memoryBytes(own.pid, 'VmRSS');
  const target = predictions(own);
  const unknown = own.keys.map((_, index) => generateApiKey('live', index));
  const of = await alternate(plan, {
    bare: loaded(predictions(bare)),
    own: loaded(target),
    mcp: loaded(await toolCalls(own)),
    field: loaded({ ...target, bodies: WRONG }, 'refused'),
    key: loaded({ ...target, keys: unknown }, 'refused'),
  });
  yield figure(
    'bare Fastify route',
    of(({ bare }) => bare.perSecond),
    '/s',
  );
  yield figure(
    'POST /v1/predict',
    of(({ own }) => own.perSecond),
    '/s',
  );
  yield atLeast(
    0.88,
    'predict ÷ bare',
    of(({ own, bare }) => own.perSecond / bare.perSecond),
    '×',
  );
  yield atMost(
    3,
    'p99 ÷ p99 of bare',
    of(({ own, bare }) => own.p99Ms / bare.p99Ms),
    '×',
  );
  yield figure(
    'p50 of POST /v1/predict',
    of(({ own }) => own.p50Ms),
    'ms',
  );
  yield figure(
    'p50 of the tool predict',
    of(({ mcp }) => mcp.p50Ms),
    'ms',
  );
  yield atMost(
    2,
    'tool predict ÷ REST, p50',
    of(({ mcp, own }) => mcp.p50Ms / own.p50Ms),
    '×',
  );
  for (const [name, what] of [
    ['field', 'wrong field'],
    ['key', 'unknown key'],
  ] as const) {
    const ratio = of((round) => round[name].perSecond / round.own.perSecond);
    yield atLeast(1, `refused ÷ answered, ${what}`, ratio, '×');
  }
  yield figure('resident memory at start', idle / 1e6, 'MB');
  yield figure('resident memory under load', memoryBytes(own.pid, 'VmRSS') / 1e6, 'MB');
  await own.stop();
  const library = slowFsyncLibrary();
  if (library === undefined) {
    process.stderr.write('no C compiler: the run with slow fsyncs is skipped\n');
    return;
  }
  const slow = await startUnlimited({ ...newFile(), LD_PRELOAD: library });
  const connections = SLOW_CONNECTIONS;
  const slowly = await alternate(plan, {
    bare: loaded({ ...predictions(bare), connections }),
    own: loaded({ ...predictions(slow), connections }),
  });
  const measure = `predict ÷ bare, each fsync + ${SLOW_FSYNC_MS} ms, ${connections} connections`;
  yield atLeast(
    0.7,
    measure,
    slowly(({ own, bare }) => own.perSecond / bare.perSecond),
    '×',
  );
}

/**
 * The predictions as tool calls over MCP.
 *
 * @throws Error if a call is refused. A refused tool call has the status 200, too, and is faster, so it would falsify
 * the measurement
 */
async function toolCalls({ address, keys }: Server): Promise<Target> {
  const messages = PREDICTIONS.map((input, id) =>
    rpc('2026-07-28', 'tools/call', { name: predict.name, arguments: input }, id),
  );
  const headers = mcpHeaders('2026-07-28', messages[0] ?? {});
  const bodies = messages.map((message) => JSON.stringify(message));
  for (const body of bodies) {
    const { text } = await ask({ address, key: keys[0] ?? '', headers }, { path: '/mcp', body });
    if (!text.includes('"structuredContent"')) throw new Error(`a call was refused: ${text}`);
  }
  return { url: `${address}/mcp`, keys, bodies, headers };
}

/** Replaces fsync and fdatasync of libc by versions with a delay. */
const SHIM = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static void wait_us(long us) { struct timespec t = { us / 1000000, us % 1000000 * 1000 }; nanosleep(&t, 0); }
int fsync(int fd) { static int (*real)(int); if (!real) real = dlsym(RTLD_NEXT, "fsync"); wait_us(DELAY_US); return real(fd); }
int fdatasync(int fd) { static int (*real)(int); if (!real) real = dlsym(RTLD_NEXT, "fdatasync"); wait_us(DELAY_US); return real(fd); }
`;

/** Builds a library for LD_PRELOAD that slows down every fsync. Returns undefined without a C compiler. */
function slowFsyncLibrary(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'vitruvia-fsync-'));
  const [source, library] = [join(folder, 'slow.c'), join(folder, 'slow.so')];
  writeFileSync(source, SHIM);
  const define = `-DDELAY_US=${SLOW_FSYNC_MS * 1000}`;
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', define, '-o', library, source, '-ldl']);
    return library;
  } catch {
    return undefined;
  }
}

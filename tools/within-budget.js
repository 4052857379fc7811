// Runs a command and fails if it used more processor time than it may:
//   node tools/within-budget.js 900 npm test
// The seconds are those of the machine on which REFERENCE_SECONDS was measured. On a slower machine the command may use
// as many times more as a fixed computation needs there. A machine that others use changes its speed within minutes, so
// the computation runs before the command, once a minute beside it, and after it; the mean counts.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Processor time of one thread of the fixed computation, on the machine of 2026-11-28 (2 cores), s. */
const REFERENCE_SECONDS = 1.85;
/** Clock ticks of Linux per second. */
const TICKS_PER_SECOND = 100;
/** Pause between two computations beside the command, ms. */
const PAUSE_MS = 60_000;

/** The fixed computation: numbers, objects and text, as tests use them. */
const REFERENCE = `
  let sum = 0;
  for (let round = 0; round < 12; round++) {
    const rows = Array.from({ length: 60_000 }, (_, i) => ({ id: i, value: Math.sin(i * round) * 1000, name: 'n' + (i % 977) }));
    rows.sort((one, other) => one.value - other.value);
    const text = JSON.stringify(rows);
    for (const row of JSON.parse(text)) sum += row.value * row.name.length;
    const numbers = new Float64Array(1 << 20);
    for (let i = 0; i < numbers.length; i++) numbers[i] = Math.exp(-(i % 1000) / 500) + sum * 1e-12;
    for (let pass = 0; pass < 6; pass++) for (let i = 1; i < numbers.length; i++) numbers[i] += 0.5 * numbers[i - 1];
    sum += numbers[numbers.length - 1];
  }
  require('node:worker_threads').parentPort.postMessage(sum);
`;

/** How many times its usual processor time the fixed computation needs now, on this many threads at once. */
async function slowness(threads) {
  const before = process.cpuUsage();
  await Promise.all(
    Array.from(
      { length: threads },
      () =>
        new Promise((resolve, reject) => {
          new Worker(REFERENCE, { eval: true }).once('error', reject).once('exit', resolve);
        }),
    ),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / threads / REFERENCE_SECONDS;
}

/** Processor time of all processes that this one started, theirs included, s. */
function childSeconds() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

const [budgetSeconds, command, ...words] = process.argv.slice(2);
const measured = [await slowness(availableParallelism())];
const ended = new Promise((resolve, reject) => {
  spawn(command, words, { stdio: 'inherit' }).once('error', reject).once('exit', resolve);
});
const stopped = new AbortController();
void ended.finally(() => stopped.abort()).catch(() => undefined);
while (!stopped.signal.aborted) {
  await setTimeout(PAUSE_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
  if (!stopped.signal.aborted) measured.push(await slowness(1));
}
const status = await ended;
measured.push(await slowness(availableParallelism()));
const usedSeconds = childSeconds();
const mean = measured.reduce((sum, one) => sum + one, 0) / measured.length;
const maySeconds = Number(budgetSeconds) * mean;
console.log(
  `${[command, ...words].join(' ')} used ${usedSeconds.toFixed(0)} s of processor time, of ${maySeconds.toFixed(0)} s ` +
    `(${budgetSeconds} s × ${mean.toFixed(2)}; the fixed computation took ` +
    `${measured.map((one) => one.toFixed(2)).join(', ')} times its usual time).`,
);
if (status !== 0) process.exit(status ?? 1);
if (usedSeconds > maySeconds) {
  console.error(
    'The tests use too much processor time. docs/development.md says what a test may cost.',
  );
  process.exit(1);
}

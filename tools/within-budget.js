// Runs a command and fails if it used more processor time than it may:
//   node tools/within-budget.js 900 npm test
// The seconds are those of the machine on which REFERENCE_SECONDS was measured. On a slower machine the command may use
// as many times more as a fixed computation needs there.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Processor time of one thread of the fixed computation, on the machine of 2026-11-28 (2 cores), s. */
const REFERENCE_SECONDS = 1.85;
/** Clock ticks of Linux per second. */
const TICKS_PER_SECOND = 100;

/** The fixed computation: numbers, objects and text, on all cores at once, as tests use them. */
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

/** Processor time of the fixed computation, s per thread. */
async function referenceSeconds() {
  const before = process.cpuUsage();
  const threads = availableParallelism();
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
  return (user + system) / 1e6 / threads;
}

/** Processor time of all processes that this one started, theirs included, s. */
function childSeconds() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

const [budgetSeconds, command, ...words] = process.argv.slice(2);
const slowness = (await referenceSeconds()) / REFERENCE_SECONDS;
const { status, error } = spawnSync(command, words, { stdio: 'inherit' });
if (error !== undefined) throw error;
const usedSeconds = childSeconds();
const maySeconds = Number(budgetSeconds) * slowness;
console.log(
  `${[command, ...words].join(' ')} used ${usedSeconds.toFixed(0)} s of processor time, of ${maySeconds.toFixed(0)} s ` +
    `(${budgetSeconds} s × ${slowness.toFixed(2)}, because the fixed computation takes that much of its usual time).`,
);
if (status !== 0) process.exit(status ?? 1);
if (usedSeconds > maySeconds) {
  console.error(
    'The tests use too much processor time. docs/development.md says what a test may cost.',
  );
  process.exit(1);
}

// `node --import` loads this module into an attacked service before its own code. It notes how long the event loop was
// held, as processor time of the thread. So other programs on the machine do not count.
import { appendFileSync, closeSync, openSync, readSync } from 'node:fs';
import { isMainThread, threadId } from 'node:worker_threads';

/** Shorter holds are not noted. */
const NOTED_MS = 2;
const EVERY_MS = 1;

if (isMainThread && threadId === 0 && process.env.LOOP_HOLDS_FILE !== undefined) {
  const file = process.env.LOOP_HOLDS_FILE;
  // The first number is the processor time of the thread in ns (Linux, sched-stats).
  const stat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(64);
  const usedMs = () => {
    const length = readSync(stat, bytes, 0, bytes.length, 0);
    return Number(bytes.toString('latin1', 0, length).split(' ')[0]) / 1e6;
  };
  let beforeMs = usedMs();
  // A timer of 1 ms fires in each turn of the event loop that takes longer.
  const timer = setInterval(() => {
    const nowMs = usedMs();
    const heldMs = nowMs - beforeMs;
    beforeMs = nowMs;
    if (heldMs >= NOTED_MS) appendFileSync(file, `${heldMs.toFixed(1)}\n`);
  }, EVERY_MS);
  timer.unref();
  process.on('exit', () => closeSync(stat));
}

import type { ServerResponse } from 'node:http';

/** How slowly a client may read its answer. */
export interface ReaderLimits {
  /** Longest time in which it takes nothing of what waits for it. */
  readonly silenceMs: number;
  /** It takes `paceBytes` in this time, as long as something waits for it. */
  readonly paceMs: number;
  readonly paceBytes: number;
}

const LIMITS: ReaderLimits = { silenceMs: 30_000, paceMs: 120_000, paceBytes: 256 * 1024 };
const CHECK_MS = 1000;

/**
 * Hangs up on a client that does not read its answer: otherwise the answer would stay in memory, and a
 * long one would keep its place. While nothing waits for the client, the service computes, and the client is not slow.
 */
export function hangUpIfUnread(response: ServerResponse, limits: ReaderLimits = LIMITS): void {
  const { silenceMs, paceMs, paceBytes } = limits;
  // Node counts each byte that the system takes as progress, and looks once at the end of each such time.
  response.setTimeout(silenceMs / 2, () => {
    if (response.writableLength > 0) response.destroy();
  });
  let [sinceMs, takenThen] = [performance.now(), 0];
  const watch = setInterval(
    () => {
      const waiting = response.writableLength;
      const taken = (response.socket?.bytesWritten ?? 0) - waiting;
      if (waiting === 0 || taken >= takenThen + paceBytes) {
        [sinceMs, takenThen] = [performance.now(), taken];
      } else if (performance.now() > sinceMs + paceMs) response.destroy();
    },
    Math.min(CHECK_MS, paceMs / 4),
  ).unref();
  response.once('close', () => clearInterval(watch));
}

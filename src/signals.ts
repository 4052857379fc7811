import { isatty } from 'node:tty';
import type { RunningServer } from './server.js';

/** How long requests in flight may take to finish after a signal. */
export const SHUTDOWN_MS = 10_000;
const STDIN = 0;
const STDERR = 2;

/** SIGHUPs as they come, before there is a server and after. */
export interface Hangups {
  /** Has the server switch artifacts at every SIGHUP, and at once if one came before. */
  obey(server: Pick<RunningServer, 'reload' | 'close'>): void;
}

/**
 * Catches SIGHUP, which would end the process, from now on. For the process's entry point only, and
 * first of all there: a SIGHUP while the service starts is obeyed once it has.
 *
 * A terminal that is closed sends SIGHUP too; then the service closes, and the process ends by that
 * signal as it would have without this. It cannot exit: Node aborts when it resets a lost terminal.
 */
export function catchHangups(): Hangups {
  const terminals = [STDIN, STDERR].filter((descriptor) => isatty(descriptor));
  let running: Pick<RunningServer, 'reload' | 'close'> | undefined;
  let came = false;
  const end = async () => {
    await running?.close().catch(() => undefined);
    process.off('SIGHUP', obeyOne);
    process.kill(process.pid, 'SIGHUP');
  };
  const obeyOne = () => {
    if (terminals.some((descriptor) => !isatty(descriptor))) void end();
    else if (running === undefined) came = true;
    else void running.reload();
  };
  process.on('SIGHUP', obeyOne);
  return {
    obey(server) {
      running = server;
      if (came) void server.reload();
    },
  };
}

/**
 * Closes the service on SIGTERM and SIGINT and ends the process: with 0 when everything in flight
 * was finished in time. For the process's entry point only.
 */
export async function closeOnSignals(server: Pick<RunningServer, 'close'>): Promise<void> {
  const { default: closeWithGrace } = await import('close-with-grace');
  const options = { delay: SHUTDOWN_MS, logger: false, skip: ['SIGHUP'] } as const;
  closeWithGrace({ ...options, skip: [...options.skip] }, async ({ err }) => {
    if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`);
    await server.close();
  });
}

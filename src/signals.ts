import { isatty } from 'node:tty';
import { SHUTDOWN_MS } from './config.js';
import type { RunningServer } from './server.js';

const STDIN = 0;
const STDERR = 2;

/**
 * Signals of a fault in native code and of `abort`. They must end the process at once. After a handler in JavaScript,
 * the faulty instruction would run again, and the process would hang at full load.
 */
export const FAULT_SIGNALS = [
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGSEGV',
] as const;

/** Collects SIGHUP signals, including those that arrive before there is a server. */
export interface Hangups {
  /** Makes the server switch artifacts at every SIGHUP, and at once if one has already arrived. */
  obey(server: Pick<RunningServer, 'reload' | 'close'>): void;
}

/**
 * Catches SIGHUP from now on. Without this, SIGHUP would end the process. Call this function first, and only at the
 * entry point of a process. A SIGHUP during the start takes effect after the start.
 *
 * A terminal that closes also sends SIGHUP. The service then closes, and the process ends by this signal, as without
 * this function. It cannot exit normally, because Node aborts when it resets a lost terminal.
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
 * On SIGTERM and SIGINT, closes the service and ends the process. The exit code is 0 if all requests in flight finished
 * in time. Call this function only at the entry point of a process.
 */
export async function closeOnSignals(server: Pick<RunningServer, 'close'>): Promise<void> {
  const { default: closeWithGrace } = await import('close-with-grace');
  closeWithGrace(
    { delay: SHUTDOWN_MS, logger: false, skip: ['SIGHUP', ...FAULT_SIGNALS] },
    async ({ err }) => {
      if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`);
      await server.close();
    },
  );
}

const LOG_EVERY_MS = 10_000;

/**
 * Prevents an outage from filling the log. The first fault is passed on at once. After that, at most one fault is
 * passed on every ten seconds, which is the latest.
 *
 * @param write writes the log line; `omitted` is the number of faults left out since the last line
 */
export function throttledLog<Fault>(
  write: (fault: Fault, omitted: number) => void,
): (fault: Fault) => void {
  let quiet = false;
  let waiting: { readonly fault: Fault; readonly omitted: number } | undefined;
  const pass = (fault: Fault, omitted: number): void => {
    quiet = true;
    // The timer does not keep a process alive.
    setTimeout(() => {
      quiet = false;
      const latest = waiting;
      waiting = undefined;
      if (latest !== undefined) pass(latest.fault, latest.omitted);
    }, LOG_EVERY_MS).unref();
    write(fault, omitted);
  };
  return (fault) => {
    if (!quiet) pass(fault, 0);
    else waiting = { fault, omitted: waiting === undefined ? 0 : waiting.omitted + 1 };
  };
}

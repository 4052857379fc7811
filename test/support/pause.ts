const NOBODY_WAKES = new Int32Array(new SharedArrayBuffer(4));

/** Lets a thread sleep for a moment, so that a computation that waits takes no processor time. */
export function pause(): void {
  Atomics.wait(NOBODY_WAKES, 0, 0, 2);
}

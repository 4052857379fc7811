const NOBODY_WAKES = new Int32Array(new SharedArrayBuffer(4));

/** Puts a thread to sleep for a moment, so that a waiting computation takes no processor time. */
export function pause(): void {
  Atomics.wait(NOBODY_WAKES, 0, 0, 2);
}

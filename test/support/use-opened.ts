import { afterAll, beforeAll } from 'vitest';

/** What can be ended. */
interface Ended {
  close?(): unknown;
  stop?(): unknown;
}

/**
 * Registers something that exists from the first test of a file or of a `describe` to its last.
 *
 * @param close ends it after the last test; by default with its own `close` or `stop`, if it has one
 * @returns a stand-in that can be passed on at once and used in tests
 */
export function useOpened<Opened extends object>(
  open: () => Promise<Opened>,
  close: (opened: Opened & Ended) => unknown = (it) => (it.close ? it.close() : it.stop?.()),
): Opened {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened && close(opened as Opened & Ended));
  return new Proxy({} as Opened, {
    has: (_, name) => opened !== undefined && name in opened,
    get(_, name) {
      if (opened === undefined) throw new Error('It is opened before the first test.');
      const value: unknown = Reflect.get(opened, name, opened);
      return typeof value === 'function' ? value.bind(opened) : value;
    },
  });
}

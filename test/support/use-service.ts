import { type ServiceOptions, startService, type TestService } from './service.js';
import { useOpened } from './use-opened.js';

/** Services with no options but a folder of artifacts, by that folder. The files of a worker share them. */
const shared = new Map<string, Promise<TestService>>();

/**
 * Registers a service that exists from the first test of a file or of a `describe` to its last. With no options but
 * `artifacts`, it is one that other files use, too, and ends with the worker: a file that uses up a limit needs options of
 * its own.
 */
export function useService(
  options: ServiceOptions | (() => Promise<ServiceOptions>) = {},
): TestService {
  let own: TestService | undefined;
  const open = async (): Promise<TestService> => {
    const asked = typeof options === 'function' ? await options() : options;
    const { artifacts = '', ...rest } = asked;
    if (Object.keys(rest).length > 0) {
      own = await startService(asked);
      return own;
    }
    const known = shared.get(artifacts) ?? startService(asked);
    shared.set(artifacts, known);
    return known;
  };
  return useOpened(open, () => own?.close());
}

import { afterAll, beforeAll } from 'vitest';
import { type ServiceOptions, startService, type TestService } from './service.js';

/** Registers a service that exists from the first test of a file or of a `describe` to its last. */
export function useService(
  options: ServiceOptions | (() => Promise<ServiceOptions>) = {},
): TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startService(typeof options === 'function' ? await options() : options);
  });
  afterAll(() => service?.close());
  return new Proxy({} as TestService, {
    get(_, name) {
      if (service === undefined) throw new Error('The service starts before the first test.');
      return Reflect.get(service, name);
    },
  });
}

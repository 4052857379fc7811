import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { Problem } from '../core/errors.js';
import { noSuchRoute, sendProblem, shownPath } from './problems.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route only refuses its method, so that `Allow` leaves the method out. */
    refuses?: boolean;
  }
}

/** The methods of each path of an application, for requests that no route takes. */
export class KnownPaths {
  readonly #routes: { readonly url: string; readonly methods: readonly string[] }[] = [];
  #methods: readonly string[] = [];
  #router: ReturnType<typeof findMyWay> | undefined;

  /** Collects the routes that are added to `app` from now on. */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method, config }) => {
      if (config?.refuses !== true) this.#routes.push({ url, methods: [method].flat() });
    });
  }

  /** The methods of a path, in alphabetical order and with `OPTIONS`; none for an unknown path. */
  #methodsOf(url: string): readonly string[] {
    this.#router ??= this.#collected();
    const router = this.#router;
    const found = this.#methods.filter((method) => router.find(method as HTTPMethod, url) !== null);
    return found.length === 0 ? found : [...new Set([...found, 'OPTIONS'])].sort();
  }

  /** The problem of a request that no route takes: 404 for an unknown path; 405 for a known one, with `Allow`. */
  problemOf({ method, url }: FastifyRequest, reply: FastifyReply): Problem {
    const methods = this.#methodsOf(url);
    // The path of a file has a route, also if there is no such file.
    if (methods.length === 0 || methods.includes(method)) return noSuchRoute(method, url);
    reply.header('allow', methods.join(', '));
    const others = methods.filter((one) => one !== 'HEAD' && one !== 'OPTIONS').join(' or ');
    const message = `${shownPath(url)} does not take ${method}; send ${others}.`;
    return new Problem('method_not_allowed', message);
  }

  /** Answers a request that no route takes. `OPTIONS` of a known path gets its methods (RFC 9110, 9.3.7). */
  answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const methods = request.method === 'OPTIONS' ? this.#methodsOf(request.url) : [];
    if (methods.length === 0) return sendProblem(reply, this.problemOf(request, reply));
    return reply.code(204).header('allow', methods.join(', ')).send();
  }

  #collected(): ReturnType<typeof findMyWay> {
    const router = findMyWay();
    for (const { url, methods } of this.#routes) {
      router.on(methods as HTTPMethod[], url, () => undefined);
    }
    this.#methods = [...new Set(this.#routes.flatMap(({ methods }) => methods))];
    return router;
  }
}

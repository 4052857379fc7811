import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService, type TestService } from '../support/service.js';

/** A request as the service saw it. */
export interface SeenRequest {
  readonly key: string | null;
  readonly atMs: number;
}

/** Two real services behind a proxy that injects faults, for clients in any language. */
export interface FaultyService {
  /** Address of the proxy. */
  readonly url: string;
  readonly service: TestService;
  /**
   * Address of the service behind faults. The first request meets the first fault, and so on. Requests after the last
   * fault meet none.
   *
   * - `refuse`: the connection is cut before the service has the request
   * - `lose`: the connection is cut after the service has answered
   * - `500`, `503`: the service has answered, but the client gets this status
   * - `cut-1000`: the connection is cut after 1,000 bytes of the body
   */
  behind(...faults: readonly string[]): string;
  /** The requests that came to an address of `behind`. */
  seen(address: string): Promise<readonly SeenRequest[]>;
  close(): Promise<void>;
}

/**
 * One request in 60 s. A new customer stops the clock of this service. The first request after `POST /clock` starts it
 * again.
 */
const LIMITED_RATE = 1;

/**
 * Starts the services and the proxy, with invented people unless artifacts are named. The proxy has routes of its own:
 * `POST /customer?credits=5`, `GET /balance?account=…`, `GET /seen/<faults>/<id>`, `GET /behind?faults=…`, `POST
 * /clock?ms=1000`, and `/limited/…`. The last one is a service that lets a key send one request in 60 s.
 */
export async function startFaultyService(artifacts?: string): Promise<FaultyService> {
  let clockMs = Date.now();
  let clockRuns: 'no' | 'soon' | 'yes' = 'no';
  let sinceMs = 0;
  const nowMs = () => clockMs + (clockRuns === 'yes' ? Date.now() - sinceMs : 0);
  const service = await startService({
    computing: {},
    ...(artifacts === undefined ? {} : { artifacts }),
  });
  const limited = await startService({ rateLimitMax: LIMITED_RATE, clock: nowMs });
  const services = [service, limited];
  const [target, limitedTarget] = await Promise.all(services.map((one) => one.address()));
  const customers = new Map<string, Awaited<ReturnType<TestService['customer']>>>();
  const seen = new Map<string, SeenRequest[]>();
  const behind = (faults: string) => {
    const id = `${faults}/${randomUUID()}`;
    seen.set(id, []);
    return id;
  };

  async function answer(url: URL): Promise<unknown> {
    const query = (name: string) => url.searchParams.get(name) ?? '';
    const [, route, ...rest] = url.pathname.split('/');
    if (route === 'customer') {
      const isLimited = query('service') === 'limited';
      if (isLimited) {
        clockMs = nowMs();
        clockRuns = 'no';
      }
      const owner = isLimited ? limited : service;
      const customer = await owner.customer(Number(query('credits')));
      customers.set(customer.account, customer);
      return { account: customer.account, apiKey: customer.apiKey };
    }
    if (route === 'balance') return customers.get(query('account'))?.balance();
    if (route === 'behind') return behind(query('faults'));
    if (route === 'clock') {
      // The clock keeps the time that has passed. If it were set back, clients would wait longer.
      clockMs = nowMs() + Number(query('ms'));
      clockRuns = 'soon';
      return clockMs;
    }
    return route === 'seen' ? seen.get(rest.join('/')) : undefined;
  }

  const server = createServer(async (request, reply) => {
    const url = new URL(request.url ?? '/', 'http://faulty-service');
    const own = await answer(url);
    if (own !== undefined) return void reply.end(JSON.stringify(own));
    const [, first = '', ...rest] = url.pathname.split('/');
    if (first === 'limited' && clockRuns === 'soon') {
      clockRuns = 'yes';
      sinceMs = Date.now();
    }
    if (first === 'limited') return forward(request, reply, `${limitedTarget}/${rest.join('/')}`);
    const [id = '', ...path] = rest;
    const log = seen.get(`${first}/${id}`);
    if (log === undefined) return void reply.writeHead(404).end();
    const fault = first.split(',')[log.length];
    const key = request.headers['idempotency-key'];
    log.push({ key: key === undefined ? null : String(key), atMs: Date.now() });
    return forward(request, reply, `${target}/${path.join('/')}`, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    service,
    behind: (...faults) => `${url}/${behind(faults.join(',') || 'none')}`,
    async seen(address) {
      return (await fetch(address.replace(url, `${url}/seen`))).json() as Promise<SeenRequest[]>;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      for (const one of services) await one.close();
    },
  };
}

function forward(
  request: IncomingMessage,
  reply: ServerResponse,
  target: string,
  fault = 'none',
): void {
  const cut = () => {
    request.socket.destroy();
  };
  if (fault === 'refuse') {
    cut();
    return;
  }
  const { method, headers } = request;
  const { host: _, connection: __, ...kept } = headers;
  const onward = sendRequest(target, { method, headers: kept }, (answer) => {
    const status = answer.statusCode ?? 502;
    answer.on('error', cut);
    if (fault === 'lose' || /^\d+$/.test(fault)) {
      answer.resume().on('end', () => {
        if (fault === 'lose') cut();
        else reply.writeHead(Number(fault)).end('no answer');
      });
      return;
    }
    reply.writeHead(status, answer.headers);
    if (!fault.startsWith('cut-')) {
      answer.pipe(reply);
      return;
    }
    let left = Number(fault.slice('cut-'.length));
    answer.on('end', () => {
      if (left > 0) reply.destroy(new Error(`the answer is shorter than ${fault}`));
    });
    answer.on('data', (chunk: Buffer) => {
      if (left <= 0) return;
      const part = chunk.subarray(0, left);
      left -= part.length;
      reply.write(part, () => {
        if (left <= 0) cut();
      });
    });
  });
  onward.on('error', cut);
  request.pipe(onward);
}

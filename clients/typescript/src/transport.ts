import createClient from 'openapi-fetch';
import { checkKey, connectionError, errorOf, VitruviaError } from './errors.js';
import type { Catalog, Health, Products, paths, Ready } from './generated/api.js';
import { OPERATIONS } from './generated/operations.js';
import type { CallOptions, OperationKey } from './types.js';

/** Settings of a client. */
export interface ClientSettings {
  /** Address of the service, such as `https://vitruvia.example`. */
  readonly baseUrl: string;
  /** An API key, `vt_live_…` or `vt_test_…`. Only the public routes work without a key. */
  readonly apiKey?: string;
  /** Sends requests; the platform's own `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Number of attempts of a call that fails, 5 by default. Waits that the service asks for do not count. */
  readonly attemptsMax?: number;
  /** Time limit of one attempt in milliseconds; 60,000 by default. */
  readonly attemptMs?: number;
  /** Time limit of a call in milliseconds; 180,000 by default. */
  readonly deadlineMs?: number;
}

/** Answers of the routes that are read, by path. */
interface Reads {
  readonly '/': Catalog;
  readonly '/health': Health;
  readonly '/ready': Ready;
  readonly '/v1/products': Products;
}

/** One call with everything that its attempts share. */
export interface Call {
  readonly operation: OperationKey;
  readonly body: unknown;
  readonly key: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly deadlineAtMs: number;
}

type ParseAs = 'json' | 'stream';
/** What openapi-fetch returns, of any route. */
interface Fetched {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}
type Send = (path: string, init: object) => Promise<Fetched>;

const BACKOFF_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** Statuses of faults that may be gone at the next attempt. */
const PASSING_STATUSES: readonly number[] = [500, 502, 503, 504];

/** Sends calls and repeats them until they succeed or are refused. */
export class Transport {
  /** Address of the service. */
  readonly address: string;
  readonly #send: Send;
  readonly #get: Send;
  readonly #attemptsMax: number;
  readonly #attemptMs: number;
  readonly #deadlineMs: number;

  constructor({ baseUrl, apiKey, fetch, ...limits }: ClientSettings) {
    if (apiKey !== undefined) checkKey(apiKey);
    this.address = baseUrl;
    const headers = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
    const api = createClient<paths>({ baseUrl, headers, ...(fetch && { fetch }) });
    // The types are in the methods of the client. Here, the path is any text.
    this.#send = api.POST as unknown as Send;
    this.#get = api.GET as unknown as Send;
    this.#attemptsMax = limits.attemptsMax ?? 5;
    this.#attemptMs = limits.attemptMs ?? 60_000;
    this.#deadlineMs = limits.deadlineMs ?? 180_000;
  }

  /** Begins a call. A call that can cost credits gets an idempotency key. */
  begin(operation: OperationKey, body: unknown, options: CallOptions = {}): Call {
    const { signal, deadlineMs = this.#deadlineMs, idempotencyKey } = options;
    const automatic = OPERATIONS[operation].charges ? crypto.randomUUID() : undefined;
    const key = idempotencyKey === false ? undefined : (idempotencyKey ?? automatic);
    return { operation, body, key, signal, deadlineAtMs: Date.now() + deadlineMs };
  }

  /** The JSON answer of a call. @throws VitruviaError */
  async json(call: Call): Promise<unknown> {
    return (await this.#untilAnswered(call, 'json')).data;
  }

  /**
   * Returns the answer of a call before its body is read.
   *
   * @throws VitruviaError
   */
  async response(call: Call): Promise<Response> {
    return (await this.#untilAnswered(call, 'stream')).response;
  }

  /** An answer of a route that is read. @throws VitruviaError */
  async read<P extends keyof Reads>(path: P): Promise<Reads[P]> {
    const signal = AbortSignal.timeout(this.#attemptMs);
    const { data, error, response } = await this.#get(path, { signal }).catch((cause) => {
      throw connectionError(cause, this.address);
    });
    if (data === undefined) throw errorOf(response.status, error, response.headers);
    return data as Reads[P];
  }

  /**
   * Waits before a call is repeated.
   *
   * @throws VitruviaError `error`, if the call is not to be repeated
   */
  async waitAfter(error: VitruviaError, call: Call, failures: number): Promise<void> {
    const waitMs = this.#waitMs(error, call, failures);
    if (waitMs === undefined || Date.now() + waitMs > call.deadlineAtMs) throw error;
    await sleep(waitMs, call.signal);
  }

  async #untilAnswered(call: Call, parseAs: ParseAs): Promise<Fetched> {
    for (let failures = 0; ; ) {
      try {
        return await this.#attempt(call, parseAs);
      } catch (error) {
        call.signal?.throwIfAborted();
        if (!(error instanceof VitruviaError)) throw error;
        if (!isForLater(error)) failures++;
        await this.waitAfter(error, call, failures);
      }
    }
  }

  async #attempt(call: Call, parseAs: ParseAs): Promise<Fetched> {
    const { operation, body, key, signal, deadlineAtMs } = call;
    signal?.throwIfAborted();
    const limitMs = Math.max(1, Math.min(this.#attemptMs, deadlineAtMs - Date.now()));
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new DOMException(`the attempt took over ${limitMs} ms`, 'TimeoutError'));
    }, limitMs);
    const fetched = await this.#send(OPERATIONS[operation].path, {
      body,
      parseAs,
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    })
      .catch((cause) => {
        throw connectionError(late.signal.aborted ? late.signal.reason : cause, this.address);
      })
      .finally(() => clearTimeout(timer));
    const { error, response } = fetched;
    if (!response.ok) throw errorOf(response.status, error, response.headers);
    return fetched;
  }

  #waitMs(error: VitruviaError, { operation, key }: Call, failures: number): number | undefined {
    const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
    // Nothing was charged. The call can be repeated even without an idempotency key.
    if (isForLater(error)) return Math.max(askedMs, BACKOFF_MS);
    const isPassing = error.status === 0 || PASSING_STATUSES.includes(error.status);
    const isSafe = key !== undefined || !OPERATIONS[operation].charges;
    if (!isPassing || !isSafe || failures >= this.#attemptsMax) return undefined;
    const backoffMs = Math.min(BACKOFF_MS * 2 ** (failures - 1), BACKOFF_MAX_MS);
    // The random factor spreads the retries of clients that failed together.
    return Math.max(askedMs, backoffMs * (0.5 + Math.random() / 2));
  }
}

/** Whether the service refused the request because it had too many others. Nothing was charged then. */
function isForLater({ status, code }: VitruviaError): boolean {
  return status === 429 || code === 'service_busy';
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

import Negotiator from 'negotiator';

/** Requirements of the SDK for clients of the protocol. */
const JSON_AND_EVENTS = 'application/json, text/event-stream';

/** One HTTP request to the endpoint. Its body is already parsed. */
export class HttpRequest {
  readonly #headers: Readonly<Record<string, string | string[] | undefined>>;
  #view: Request | undefined;

  constructor(
    readonly method: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    /** The JSON value; undefined without a body. */
    readonly body: unknown,
  ) {
    this.#headers = headers;
  }

  /**
   * The part of a `Request` that the SDK reads: the method and single headers. The SDK gets the parsed body separately.
   * A complete `Request` would take as long as answering a call. There is no abort signal: a caller who hangs up is
   * charged once the call has begun, as over REST.
   */
  asWebRequest(): Request {
    this.#view ??= {
      method: this.method,
      url: 'http://localhost/mcp',
      headers: { get: (name: string) => this.header(name.toLowerCase()) },
    } as unknown as Request;
    return this.#view;
  }

  /**
   * A header by its lower-case name; null if it was not sent. Every answer is JSON, so a client that takes JSON need not
   * take events, which the SDK demands.
   */
  header(name: string): string | null {
    const value = this.#headers[name];
    const text = Array.isArray(value) ? value.join(', ') : (value ?? null);
    if (name !== 'accept' || text === JSON_AND_EVENTS || !this.#takesJson()) return text;
    return JSON_AND_EVENTS;
  }

  #takesJson(): boolean {
    return new Negotiator({ headers: this.#headers }).mediaType(['application/json']) !== undefined;
  }
}

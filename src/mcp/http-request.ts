/** One HTTP request to the endpoint, its body already parsed. */
export class HttpRequest {
  readonly #headers: Readonly<Record<string, string | string[] | undefined>>;
  #view: Request | undefined;

  constructor(
    readonly method: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    /** The JSON value; undefined where there is no body. */
    readonly body: unknown,
  ) {
    this.#headers = headers;
  }

  /**
   * The request as far as the protocol's code reads one: its method and single headers. The body
   * is handed over parsed, and a whole `Request` costs as much as answering a call. It carries no
   * signal either: a caller that hangs up is charged as over REST, once the call has begun.
   */
  asWebRequest(): Request {
    this.#view ??= {
      method: this.method,
      url: 'http://localhost/mcp',
      headers: { get: (name: string) => this.header(name.toLowerCase()) },
    } as unknown as Request;
    return this.#view;
  }

  /** A header by its lower-case name; null when it was not sent. */
  header(name: string): string | null {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  }
}

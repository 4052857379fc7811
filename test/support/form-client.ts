import type { TestService } from './service.js';

/** An answer to a browser without scripts. */
export interface PageAnswer {
  readonly status: number;
  readonly html: string;
  readonly location: string | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly setCookies: readonly string[];
}

/** Differences of a request from that of a browser. */
export interface Oddities {
  /** Headers to set. A header with the value undefined is removed. */
  readonly headers?: Record<string, string | undefined>;
  /** Value of the field `csrf`; null omits the field. */
  readonly csrf?: string | null;
  /** Value of the field `once`. By default, the value on the page. */
  readonly once?: string;
}

/** A browser without scripts. It keeps cookies, and reads the form of a page before it sends the form. */
export class FormClient {
  readonly cookies = new Map<string, string>();
  readonly #service: TestService;
  readonly #headers: Record<string, string>;
  readonly #address: string;

  /** @param options.address IP address of the client */
  constructor(
    service: TestService,
    options: { headers?: Record<string, string>; address?: string } = {},
  ) {
    this.#service = service;
    this.#headers = { host: 'localhost', ...options.headers };
    this.#address = options.address ?? '127.0.0.1';
  }

  async get(path: string): Promise<PageAnswer> {
    return await this.#send('GET', path);
  }

  /** Opens the page with the form, and sends the form with the hidden token of the page. */
  async submit(
    page: string,
    fields: Record<string, string>,
    { action, csrf, once, headers = {} }: Oddities & { action?: string } = {},
  ): Promise<PageAnswer> {
    const [path = page] = page.split('?', 1);
    const opened = csrf === undefined || once === undefined ? (await this.get(page)).html : '';
    const token = csrf === undefined ? csrfIn(opened) : csrf;
    const onceToken = once ?? onceIn(opened);
    const form = new URLSearchParams(fields);
    if (token !== null) form.set('csrf', token);
    if (onceToken !== undefined) form.set('once', onceToken);
    return await this.#send('POST', action ?? path, form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'http://localhost',
      'sec-fetch-site': 'same-origin',
      ...headers,
    });
  }

  async #send(
    method: 'GET' | 'POST',
    url: string,
    payload?: string,
    headers: Record<string, string | undefined> = {},
  ): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { ...this.#headers, ...(cookie === '' ? {} : { cookie }), ...headers };
    const answer = await this.#service.http.inject({
      method,
      url,
      remoteAddress: this.#address,
      headers: Object.fromEntries(
        Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      ...(payload === undefined ? {} : { payload }),
    });
    for (const { name, value, maxAge, expires } of answer.cookies as readonly {
      name: string;
      value: string;
      maxAge?: number;
      expires?: Date;
    }[]) {
      const gone = maxAge === 0 || (expires !== undefined && expires.getTime() === 0);
      if (gone) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { location, 'set-cookie': set = [] } = answer.headers;
    return {
      status: answer.statusCode,
      html: answer.body,
      location: location === undefined ? undefined : String(location),
      headers: answer.headers as Record<string, string | string[] | undefined>,
      setCookies: [set].flat(),
    };
  }
}

/** The hidden token of the first form on a page. */
export function csrfIn(html: string): string {
  const token = /name="csrf" value="([^"]+)"/.exec(html)?.[1];
  if (token === undefined) throw new Error(`no form on the page:\n${html.slice(0, 2000)}`);
  return token;
}

/** The one-time token of the first form on a page that has one. */
export function onceIn(html: string): string | undefined {
  return /name="once" value="([^"]+)"/.exec(html)?.[1];
}

/** A valid password for tests. */
export const PASSWORD = 'gravel-otter-lamp-7';

/** The path of the link in the newest e-mail to an address. */
export function linkTo(service: TestService, email: string): string {
  const sent = service.emails.filter(({ to }) => to === email).at(-1);
  if (sent?.link === undefined) throw new Error(`no e-mail with a link to ${email}`);
  return sent.link.replace(/^http:\/\/[^/]+/, '');
}

/** The path of the link in an e-mail to an address, and the token in it. Waits until all e-mails are sent. */
export async function mailed(service: TestService, email: string) {
  await service.emailsSent();
  const link = linkTo(service, email);
  return { link, token: new URL(link, 'http://x').searchParams.get('token') ?? '' };
}

/** The account of a user. */
export async function accountOf({ db }: TestService, email: string): Promise<string> {
  const query = db.selectFrom('people').select('account_id').where('email', '=', email);
  return (await query.executeTakeFirstOrThrow()).account_id;
}

/** Signs up a new user, signs the user in, and confirms the address. */
export async function signedUp(
  service: TestService,
  email: string,
  options: { name?: string; password?: string; client?: FormClient } = {},
): Promise<FormClient> {
  const { name = 'Ada', password = PASSWORD, client = new FormClient(service) } = options;
  const up = await client.submit('/account/sign-up', { name, email, password });
  if (!up.html.includes('id="api-key"')) throw new Error(`sign-up refused: ${up.html}`);
  const { link, token } = await mailed(service, email);
  const verified = await client.submit(link, { token });
  if (verified.location !== '/account/keys?done=confirmed')
    throw new Error(`confirming refused: ${verified.html}`);
  return client;
}

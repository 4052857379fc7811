import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { PageRequest } from '../../src/keyless/messages.js';
import { KEYLESS_ROUTES, PAGE_ROUTES } from '../../src/keyless/routes.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { publicPages } from '../../src/pages/public-pages.js';
import { computerHere } from '../support/computer-here.js';
import { useService } from '../support/use-service.js';

/** Collects the addresses of all routes that are added later. */
function collect(into: Set<string>) {
  const plugin = (app: FastifyInstance, _: object, done: () => void) => {
    app.addHook('onRoute', ({ url }: RouteOptions) => void into.add(url));
    done();
  };
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}

const served = new Set<string>();
const asked: PageRequest[] = [];
const answer = async (request: PageRequest) => {
  asked.push(request);
  return { status: 203, headers: { 'x-made': 'beside' }, body: Buffer.from('made') };
};
const pages = () => ({ answer, close: async () => undefined });
const service = useService({ onRoutes: collect(served), pages });

/** The entry of the table for an address. */
const entryOf = (url: string) =>
  Object.keys(KEYLESS_ROUTES).find((path) =>
    path.endsWith('*') ? url.startsWith(path.slice(0, -1)) : path === url,
  );

describe('the table of routes without a key', () => {
  it('has every route that asks for none', () => {
    const keyed = new Set(['/mcp', '/v1/products', ...OPERATIONS.map(({ path }) => path)]);
    const open = [...served].filter((url) => !keyed.has(url));
    expect(open.filter((url) => entryOf(url) === undefined)).toEqual([]);
  });

  it('has no route that is not there', () => {
    const without = Object.keys(KEYLESS_ROUTES).filter(
      (path) => path !== '/webhooks/stripe' && ![...served].some((url) => entryOf(url) === path),
    );
    expect(without).toEqual([]);
  });

  it('has each route of the page app as one that is answered beside the event loop', async () => {
    const routes = new Set<string>();
    const app = Fastify();
    await app.register(collect(routes));
    const { model } = service;
    await publicPages(app, {
      ...{
        model: () => model,
        computer: computerHere(model),
        publicUrl: () => 'http://localhost',
        rateLimitMax: 1,
        pictureSecrets: () => ['one'],
      },
      openApiJson: async () => '{}',
    });
    await app.ready();
    const paths = [...routes].filter((url) => url !== '/').map(entryOf);
    expect(new Set(paths)).toEqual(new Set(PAGE_ROUTES));
    await app.close();
  });
});

describe('a route that is kept or computed', () => {
  it.each(PAGE_ROUTES)('is answered by the page app: %s', async (path) => {
    const url = `${path.replace('*', 'one.svg')}?q=a`;
    const answer = await service.http.inject({
      url,
      headers: { cookie: 'vitruvia_session=secret' },
    });
    expect([answer.statusCode, answer.body, answer.headers['x-made']]).toEqual([
      203,
      'made',
      'beside',
    ]);
    const { id, headers, ...request } = asked.at(-1) as PageRequest;
    expect(request).toEqual({ url, ip: '127.0.0.1' });
    expect(id).toMatch(/^req_/);
    // A page depends on whether there is a session, but not on which session.
    expect(headers).toEqual({ cookie: 'vitruvia_session=1' });
  });

  it('has no body for HEAD', async () => {
    const answer = await service.http.inject({ method: 'HEAD', url: '/docs' });
    expect([answer.statusCode, answer.headers['content-length'], answer.body]).toEqual([
      203,
      '4',
      '',
    ]);
  });
});

it.each(['/', '/nowhere'])(
  'browsers get the page of the page app at %s, programs get JSON',
  async (url) => {
    const page = await service.http.inject({ url, headers: { accept: 'text/html' } });
    expect(page.body).toBe('made');
    const json = await service.http.inject({ url });
    expect(json.headers['content-type']).toContain('json');
    expect(json.headers.vary).toContain('accept');
  },
);

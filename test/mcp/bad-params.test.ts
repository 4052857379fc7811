import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/core/json-text.js';
import { mcpHeaders, REVISIONS, type Revision, rpc } from '../support/mcp.js';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';

const INTERNAL_ERROR = -32603;
const METHODS = [
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'resources/subscribe',
  'no/such/method',
  '__proto__',
];
const PARAMS = [
  undefined,
  null,
  [],
  'text',
  5,
  {},
  { name: null },
  { name: 'predict', arguments: [] },
  { name: 'get_catalog', arguments: 5 },
  { name: 'predict', _meta: 5 },
  { uri: 5 },
  { uri: 'vitruvia://measurements/none' },
  { cursor: 5 },
  { ref: 5, argument: 5 },
  { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'age', value: '' } },
  { protocolVersion: 5 },
];
const IDS = [null, {}, [], true, 1.5, 1e300, '', 'x'.repeat(10_000)];

const service = useService({ rateLimitMax: 1_000_000 });
const customer = useOpened(() => service.customer(1000));

/** Sends a body to /mcp, or none. Returns the status and error code of the answer. */
async function send(revision: Revision, body: unknown, type = true) {
  const { 'content-type': json, ...others } = mcpHeaders(revision, Object(body));
  const headers = { ...others, ...(type ? { 'content-type': json } : {}), ...customer.headers };
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const answer = await service.http.inject({ method: 'POST', url: '/mcp', headers, ...payload });
  const parsed = answer.body === '' ? undefined : JSON.parse(answer.body);
  return { status: answer.statusCode, error: parsed?.error };
}

/** Checks that the answer to a request does not report a fault of the service. */
async function expectNoFault(revision: Revision, body: unknown): Promise<void> {
  const { status, error } = await send(revision, body);
  const shown = JSON.stringify(body)?.slice(0, 200);
  expect(status, shown).toBeLessThan(500);
  expect(error?.code, shown).not.toBe(INTERNAL_ERROR);
}

const [newest, ...older] = REVISIONS;
describe.each<Revision>([newest, ...older.slice(-1)])('on %s', (revision) => {
  it.each([{}, [], true, null, 1.5])('a progress token %j is named', async (progressToken) => {
    const message = rpc(revision, 'tools/list');
    const params = message.params as { _meta?: object };
    const body = { ...message, params: { ...params, _meta: { ...params?._meta, progressToken } } };
    const { error } = await send(revision, body);
    expect(error).toEqual({
      code: -32602,
      message: 'params._meta.progressToken must be a string or a whole number.',
    });
  });

  it('a POST without a body is a parse error', async () => {
    for (const type of [true, false]) {
      const { status, error } = await send(revision, undefined, type);
      expect([status, error.code, error.data.code]).toEqual([400, -32700, 'validation_error']);
    }
  });

  it('bad parameters are no fault of the service', async () => {
    for (const method of METHODS) {
      for (const params of PARAMS) {
        await expectNoFault(revision, { jsonrpc: '2.0', id: 1, method, params });
        if (isObject(params)) await expectNoFault(revision, rpc(revision, method, params));
      }
    }
  });

  it('nor are bad ids', async () => {
    for (const id of IDS) {
      for (const method of ['ping', 'tools/call', 'resources/read', 'none']) {
        await expectNoFault(revision, { ...rpc(revision, method), id });
      }
    }
  });

  it('nor is any other JSON', async () => {
    const sources = { method: fc.constantFrom(...METHODS), params: fc.jsonValue() };
    const message = fc.oneof(fc.record(sources, { requiredKeys: ['method'] }), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(message, fc.boolean(), async (value, framed) => {
        const body = isObject(value) && framed ? { jsonrpc: '2.0', id: 1, ...value } : value;
        await expectNoFault(revision, body);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['resources/read', {}, 'params.uri'],
    ['completion/complete', {}, 'params.ref'],
  ])('%s names the parameter that is wrong', async (method, params, named) => {
    const { error } = await send(revision, rpc(revision, method, params));
    expect(error.code).toBe(-32602);
    expect(error.message).toContain(`The parameters of ${method} are not valid: ${named}`);
  });

  it('an unknown prompt or resource has no completions', async () => {
    const argument = { name: 'country', value: 'J' };
    for (const ref of [
      { type: 'ref/prompt', name: 'none' },
      { type: 'ref/resource', uri: 'none://' },
    ]) {
      const { error } = await send(
        revision,
        rpc(revision, 'completion/complete', { ref, argument }),
      );
      expect(error.code).toBe(-32602);
    }
  });
});

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { callMcp, callTool, REVISIONS, type Revision, rpc } from '../support/mcp.js';
import { JSON_OPERATIONS } from '../support/operations.js';
import type { Customer, Reply } from '../support/service.js';
import { useService } from '../support/use-service.js';

const GOOD = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };
const CALL = { name: 'predict', arguments: GOOD };
const NEW = '2026-07-28';

const service = useService();
let customer: Customer;
beforeAll(async () => {
  customer = await service.customer(100_000);
  // The SDK handles the first call with an envelope. After this call, the envelope is known.
  await callTool(service, NEW, CALL, customer.headers);
});

/** The call with a progress token, which makes the SDK handle it. */
function slowly(call: Record<string, unknown>): Record<string, unknown> {
  return { ...call, _meta: { ...(call._meta as object), progressToken: 1 } };
}

const withoutId = ({ status, text }: Reply) => [
  status,
  JSON.parse(text.replaceAll(/req_\w+/g, '')),
];

describe('calls answered directly', () => {
  it('get the same answer as from the SDK', async () => {
    const args = fc.oneof(
      fc.constantFrom(
        ...JSON_OPERATIONS.map(({ name, example }) => ({ name, arguments: example })),
      ),
      fc.constantFrom(...JSON_OPERATIONS.map(({ name }) => ({ name, arguments: { age: 'x' } }))),
      fc.constantFrom(...JSON_OPERATIONS.map(({ name }) => ({ name }))),
    );
    const meta = fc.constantFrom({}, { _meta: { 'vitruvia/idempotency-key': '' } });
    const revision = fc.constantFrom<Revision[]>(...REVISIONS);
    await fc.assert(
      fc.asyncProperty(args, meta, revision, async (call, _meta, spoken) => {
        const asked = { ...call, ..._meta };
        const direct = await callTool(service, spoken, asked, customer.headers);
        const slow = await callTool(service, spoken, slowly(asked), customer.headers);
        expect(withoutId(direct)).toEqual(withoutId(slow));
        expect(direct.headers['content-type']).toMatch(/^application\/json/);
      }),
      { numRuns: 30, seed: 6 },
    );
  });
});

describe('a call in another form is refused without a charge', () => {
  const sound = rpc(NEW, 'tools/call', CALL);
  const envelope = sound.params._meta as Record<string, unknown>;
  const enveloped = (_meta: unknown) => ({ ...sound, params: { ...CALL, _meta } });
  const without = (key: string) =>
    Object.fromEntries(Object.entries(envelope).filter(([name]) => !name.endsWith(key)));
  const versioned = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2025-11-25' };

  it.each<[string, object, Record<string, string>]>([
    ['another method in the header', sound, { 'mcp-method': 'tools/list' }],
    ['another name in the header', sound, { 'mcp-name': 'predict_range' }],
    ['no method in the header', sound, { 'mcp-method': '' }],
    ['an older revision in the header', sound, { 'mcp-protocol-version': '2025-11-25' }],
    ['an unknown revision in the header', sound, { 'mcp-protocol-version': '2999-01-01' }],
    ['an older revision in the envelope', enveloped(versioned), {}],
    ['no envelope', enveloped(undefined), {}],
    ['an empty envelope', enveloped({}), {}],
    ['an envelope without version', enveloped(without('protocolVersion')), {}],
    ['an envelope without capabilities', enveloped(without('clientCapabilities')), {}],
    ['capabilities of a wrong type', enveloped({ ...envelope, ...wrongCapabilities() }), {}],
    ['another JSON-RPC', { ...sound, jsonrpc: '1.0' }, {}],
    ['an id that is no id', { ...sound, id: 1.5 }, {}],
    ['arguments that are no object', { ...sound, params: { ...sound.params, arguments: [] } }, {}],
  ])('%s', async (_name, message, headers) => {
    const before = await customer.balance();
    const all = { ...customer.headers, ...headers };
    const refused = await callMcp(service, NEW, message, { ...framing(), ...all });
    // If only the arguments are wrong, the answer is not an HTTP error.
    expect([200, 400]).toContain(refused.status);
    expect(refused.body.error.code).toBeLessThan(-32_000);
    expect(await customer.balance()).toBe(before);
  });

  function framing(): Record<string, string> {
    return { 'mcp-protocol-version': NEW, 'mcp-method': 'tools/call', 'mcp-name': 'predict' };
  }

  function wrongCapabilities() {
    return { 'io.modelcontextprotocol/clientCapabilities': 'all' };
  }

  it('of a revision with sessions', async () => {
    const before = await customer.balance();
    const message = rpc('2025-06-18', 'tools/call', CALL);
    for (const headers of [
      { 'mcp-protocol-version': '1999-01-01' },
      { accept: 'text/event-stream' },
    ]) {
      const all = { ...customer.headers, ...headers };
      const refused = await callMcp(service, '2025-06-18', message, all);
      expect([400, 406]).toContain(refused.status);
    }
    expect(await customer.balance()).toBe(before);
  });
});

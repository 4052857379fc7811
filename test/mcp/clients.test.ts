import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { predict } from '../../src/operations/predict.js';
import { TOOL_OPERATIONS } from '../support/operations.js';
import { useService } from '../support/use-service.js';

const service = useService();
let url: URL;
beforeAll(async () => {
  url = new URL('/mcp', await service.address());
});

type Headers = Record<string, string>;
const INFO = { name: 'test', version: '1' };

/** The parts of both clients that the tests use. */
type EitherClient = Pick<OlderClient, 'close' | 'getServerVersion' | 'getInstructions'> & {
  listTools(): Promise<{ tools: { name: string; inputSchema: unknown; outputSchema?: unknown }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Answer>;
};

interface Answer {
  readonly content: { type: string; text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

async function current(headers: Record<string, string>, mode: 'auto' | 'legacy') {
  const client = new CurrentClient(INFO, { versionNegotiation: { mode } });
  await client.connect(new CurrentTransport(url, { requestInit: { headers } }));
  const revision = client.getNegotiatedProtocolVersion();
  expect(revision).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
  return client as unknown as EitherClient;
}

async function older(headers: Record<string, string>) {
  const client = new OlderClient(INFO);
  await client.connect(new OlderTransport(url, { requestInit: { headers } }) as never);
  return client as unknown as EitherClient;
}

describe.each([
  ['of today, on revision 2026-07-28', (headers: Headers) => current(headers, 'auto')],
  ['of today, on an older revision', (headers: Headers) => current(headers, 'legacy')],
  ['of yesterday', older],
] as const)('a client %s', (_name, connect) => {
  it('sees all tools, uses them, and pays for all but one', async () => {
    const customer = await service.customer(1000);
    const client = await connect(customer.headers);
    expect(client.getServerVersion()).toMatchObject({ name: 'vitruvia', version: '0.1.0' });
    expect(client.getInstructions()).toContain('get_catalog');
    const { tools } = await client.listTools();
    const operations = TOOL_OPERATIONS.map(({ name }) => name);
    expect(tools.map(({ name }) => name)).toEqual(['get_catalog', ...operations]);

    const catalog = await client.callTool({ name: 'get_catalog', arguments: { text: 'stature' } });
    const { measurements } = catalog.structuredContent as { measurements: { name: string }[] };
    expect(measurements[0]?.name).toBe('Stature');
    expect(await customer.balance()).toBe(1000);
    const answer = await client.callTool({ name: predict.name, arguments: predict.example });
    const twin = await service.post(predict.path, predict.example, customer.headers);
    expect(answer.isError ?? false).toBe(false);
    expect(answer.structuredContent).toEqual(twin.body);
    expect(await customer.balance()).toBe(1000 - 2);
    await client.close();
  });
});

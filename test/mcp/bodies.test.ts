import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { parseGlb } from '../body-files/independent-tape.js';
import { writeBodyArtifact } from '../support/body.js';
import { newFolder } from '../support/folders.js';
import { callMcp, callTool, type Revision, rpc, stdioCommand } from '../support/mcp.js';
import type { Customer } from '../support/service.js';
import { useService } from '../support/use-service.js';

const PERSON = { gender: 'Female', age: 34, known: [] };
const ARGUMENTS = { person: PERSON, detail: 'light' };
const PRICE = 20;
const NEW = '2026-07-28';

const artifacts = await writeBodyArtifact();
const service = useService({ artifacts });

async function call({ headers }: Customer, input: object, revision: Revision = NEW, key?: string) {
  const meta = key === undefined ? {} : { _meta: { 'vitruvia/idempotency-key': key } };
  const params = { name: 'body', arguments: input, ...meta };
  const { body } = await callTool(service, revision, params, headers);
  return body.result;
}

// biome-ignore lint/suspicious/noExplicitAny: the content of a result is of several kinds.
const linkOf = (result: any) =>
  result.content.find(({ type }: { type: string }) => type === 'resource_link');

async function read({ headers }: Customer, uri: string, revision: Revision = NEW) {
  const message = rpc(revision, 'resources/read', { uri });
  return (await callMcp(service, revision, message, headers)).body;
}

describe('the tool body', () => {
  it('answers the report and a link', async () => {
    const customer = await service.customer(100);
    const result = await call(customer, ARGUMENTS);
    const request = { ...ARGUMENTS, format: 'json' };
    const { body: report } = await service.post('/v1/body', request, customer.headers);
    expect(result.structuredContent).toEqual(report);
    const link = linkOf(result);
    expect(link).toMatchObject({ name: 'body.glb', mimeType: 'model/gltf-binary' });
    expect(link.uri).toMatch(/^vitruvia:\/\/bodies\/[0-9a-f]+\.glb$/);
    expect(await customer.balance()).toBe(100 - 2 * PRICE);
    const { contents } = (await read(customer, link.uri)).result;
    const file = Buffer.from(contents[0].blob, 'base64');
    expect(contents[0]).toMatchObject({ uri: link.uri, mimeType: 'model/gltf-binary' });
    expect(parseGlb(file).extras.report).toEqual(report);
    expect(await customer.balance()).toBe(100 - 2 * PRICE);
  });

  it('links to the file that REST answers, which is the account’s own', async () => {
    const [customer, other] = [await service.customer(100), await service.customer(100)];
    const { uri } = linkOf(await call(customer, { ...ARGUMENTS, format: 'stl' }));
    expect(uri).toMatch(/\.stl$/);
    const rest = await service.http.inject({
      ...{ method: 'POST', url: '/v1/body', headers: customer.headers },
      payload: { ...ARGUMENTS, format: 'stl' },
    });
    const { contents } = (await read(customer, uri)).result;
    expect(Buffer.from(contents[0].blob, 'base64').equals(rest.rawPayload)).toBe(true);
    const { error: misnamed } = await read(customer, uri.replace(/\.stl$/, '.glb'));
    expect(misnamed).toMatchObject({ message: expect.stringContaining('not found') });
    for (const link of [uri, uri.replace(/[0-9a-f]\.stl/, 'f0.stl')]) {
      const { error } = await read(other, link);
      expect(error).toMatchObject({ message: expect.stringContaining('not found') });
    }
    expect(await other.balance()).toBe(100);
    // A read counts against the rate limit.
    const left = async () => {
      const message = rpc(NEW, 'resources/read', { uri });
      const { headers } = await callMcp(service, NEW, message, customer.headers);
      return Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1]);
    };
    expect((await left()) - (await left())).toBe(1);
  });

  it('is charged once for a key, with the same link; without one, each call is charged', async () => {
    const customer = await service.customer(100);
    const first = await call(customer, ARGUMENTS, NEW, 'an-order-7');
    const again = await call(customer, ARGUMENTS, NEW, 'an-order-7');
    expect(again._meta['vitruvia/idempotent-replayed']).toBe(true);
    expect(linkOf(again)).toEqual(linkOf(first));
    expect(again.structuredContent).toEqual(first.structuredContent);
    expect((await read(customer, linkOf(again).uri)).result.contents).toHaveLength(1);
    expect(await customer.balance()).toBe(100 - PRICE);
    await call(customer, ARGUMENTS);
    expect(await customer.balance()).toBe(100 - 2 * PRICE);
  });

  it('has no link for a report alone, and no file for what was refused', async () => {
    const customer = await service.customer(30);
    const report = await call(customer, { ...ARGUMENTS, format: 'json' });
    expect(linkOf(report)).toBeUndefined();
    const refused = await call(customer, ARGUMENTS);
    expect(refused.isError).toBe(true);
    expect(linkOf(refused)).toBeUndefined();
    expect(JSON.parse(refused.content[0].text).code).toBe('insufficient_credits');
  });
});

describe('npx vitruvia mcp --output', () => {
  it('writes the file and says where', async () => {
    const folder = newFolder('bodies');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport(stdioCommand(artifacts, '--output', folder)));
    try {
      const result = await client.callTool({ name: 'body', arguments: ARGUMENTS });
      const [name = ''] = readdirSync(folder);
      const path = join(folder, name);
      expect(result.content).toContainEqual({ type: 'text', text: `file: ${path}` });
      const { extras } = parseGlb(readFileSync(path));
      expect(extras.report).toEqual(result.structuredContent);
    } finally {
      await client.close();
    }
  });
});

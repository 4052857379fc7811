import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.js';
import { CHUNK_ROWS } from '../../src/operations/answer-formats.js';
import { closeApp } from '../../src/server.js';
import { newFolder } from '../support/folders.js';
import { HEAVY_OPERATIONS, OPERATIONS } from '../support/heavy-operations.js';
import { postJson } from '../support/post-json.js';
import { type Customer, startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { useService } from '../support/use-service.js';

const PATH = '/v1/rows';
const COUNT = 3 * CHUNK_ROWS + 1;
const newFile = () => join(newFolder('parts'), 'file');
const computing = { operationsModule: HEAVY_OPERATIONS, threads: 1 };

const service = useService({ operations: OPERATIONS, computing });

interface Asked {
  readonly signal?: AbortSignal;
  readonly server?: string;
}

async function ask({ apiKey }: Customer, body: object, { signal, server }: Asked = {}) {
  const url = `${server ?? (await service.address())}${PATH}`;
  return postJson(url, apiKey, body, {}, signal);
}

/** Status of a short answer. Its body is read, so that the connection becomes free. */
async function statusOf(customer: Customer): Promise<number> {
  const reply = await ask(customer, { count: 1 });
  await reply.text();
  return reply.status;
}

const rowsOf = (seed: number) =>
  Array.from({ length: COUNT }, (_, row) => ({
    name: row === 1 ? '=1+1' : `${seed}-${row}`,
    ...(row % 3 === 2 ? {} : { value: row / 4 }),
  }));

describe('an answer in parts', () => {
  it('as JSON is one document, with the free calls left at its end', async () => {
    const customer = await service.customer(0);
    const reply = await ask(customer, { count: COUNT, seed: 7 });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await reply.json()).toEqual({ rows: rowsOf(7), seed: 7, remaining_free_calls: 5 });
  });

  it('as CSV has a line of names, empty cells, and no formulas', async () => {
    const customer = await service.customer(5);
    const reply = await ask(customer, { count: COUNT, seed: 7, format: 'csv' });
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('x-seed')).toBe('7');
    const lines = (await reply.text()).split('\r\n');
    expect(lines).toHaveLength(COUNT + 2);
    expect(lines.slice(0, 4)).toEqual(['name,value', '7-0,0', "'=1+1,0.25", '7-2,']);
    expect(await customer.balance()).toBe(0);
  });

  it('whose first part fails is refused uncharged', async () => {
    const customer = await service.customer(5);
    const reply = await ask(customer, { count: COUNT, format: 'csv', faultAt: 0 });
    expect(reply.status).toBe(500);
    expect(await reply.json()).toMatchObject({ code: 'inference_error' });
    expect(await customer.balance()).toBe(5);
  });

  it('that fails on the way is cut off, and its price is booked back', async () => {
    const customer = await service.customer(5);
    const reply = await ask(customer, { count: COUNT, format: 'csv', faultAt: 2 * CHUNK_ROWS });
    expect(reply.status).toBe(200);
    await expect(reply.text()).rejects.toThrow();
    await until(async () => (await customer.balance()) === 5);
    const entries = await service.db
      .selectFrom('ledger_entries')
      .select(['kind', 'credits', 'cause'])
      .where('account_id', '=', customer.account)
      .where('kind', '<>', 'grant')
      .orderBy('id')
      .execute();
    const id = reply.headers.get('x-request-id');
    expect(entries).toMatchObject([
      { kind: 'usage', credits: -5 },
      { kind: 'correction', credits: 5, cause: `correction:unsent:${id}` },
    ]);
  });

  it('has its place in the account until its end', async () => {
    const customer = await service.customer(100);
    const file = newFile();
    const body = { count: COUNT, format: 'csv', waitAt: CHUNK_ROWS, until: file };
    const two = await Promise.all([1, 2].map(() => ask(customer, body)));
    expect(two.map(({ status }) => status)).toEqual([200, 200]);
    expect(await statusOf(customer)).toBe(429);
    writeFileSync(file, '');
    for (const reply of two) await reply.text();
    await until(async () => (await statusOf(customer)) === 200);
    expect(await customer.balance()).toBe(85);
  });

  it('is paid for and ends when its client hangs up', async () => {
    const customer = await service.customer(10);
    const leaving = new AbortController();
    const body = { count: COUNT, format: 'csv', waitAt: CHUNK_ROWS, until: newFile() };
    const reply = await ask(customer, body, { signal: leaving.signal });
    const left = expect(reply.text()).rejects.toThrow('aborted');
    leaving.abort();
    await left;
    // The only thread would have waited for ever.
    await until(async () => (await statusOf(customer)) === 200);
    expect(await customer.balance()).toBe(0);
  });
});

describe('a planned stop', () => {
  async function stopping(stop: (service: TestService, server: string) => Promise<void>) {
    const own = await startService({ operations: OPERATIONS, computing });
    try {
      await stop(own, await own.address());
    } finally {
      await own.close();
    }
  }
  const log = createLog({ logLevel: 'silent' }, 2);

  it('sends the rest of an answer that is made, but not sent', () =>
    stopping(async (own, server) => {
      const { headers } = await own.customer(5);
      const asking = request(`${server}/v1/heavy`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
      });
      const answering = once(own.http.server, 'request') as Promise<[unknown, ServerResponse]>;
      // More than the system keeps for a client that does not read.
      const chars = 16_000_000;
      asking.end(JSON.stringify({ ms: 0, chars }));
      const [[, made], [reply]] = await Promise.all([
        answering,
        once(asking, 'response') as Promise<[IncomingMessage]>,
      ]);
      expect([made.writableEnded, made.writableFinished]).toEqual([true, false]);
      const closed = closeApp(own, log);
      let text = '';
      for await (const part of reply) text += part;
      expect(JSON.parse(text).text).toHaveLength(chars);
      await closed;
    }));

  it('cuts an answer that does not end in time, and books back its price once', () =>
    stopping(async (own, server) => {
      const customer = await own.customer(5);
      const body = { count: COUNT, format: 'csv', waitAt: CHUNK_ROWS, until: newFile() };
      const reply = await ask(customer, body, { server });
      expect(await customer.balance()).toBe(0);
      const cut = expect(reply.text()).rejects.toThrow();
      await closeApp(own, log, 0);
      await cut;
      expect(await customer.balance()).toBe(5);
    }));

  it('ends a computation that is not charged, and refuses its request', () =>
    stopping(async (own, server) => {
      const customer = await own.customer(5);
      const asked = once(own.http.server, 'request');
      const body = { count: COUNT, format: 'csv', waitAt: 0, until: newFile() };
      const asking = ask(customer, body, { server });
      await asked;
      await closeApp(own, log, 0);
      const reply = await asking;
      expect([reply.status, await customer.balance()]).toEqual([503, 5]);
    }));

  it('begins no further answer in parts after that, and charges none', () =>
    stopping(async (own, server) => {
      const customer = await own.customer(5);
      own.meter.cut();
      const reply = await ask(customer, { count: COUNT, format: 'csv' }, { server });
      expect([reply.status, await customer.balance()]).toEqual([503, 5]);
    }));
});

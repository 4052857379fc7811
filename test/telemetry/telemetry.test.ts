import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { startServer } from '../../src/server.js';
import { newAccount } from '../support/accounts.js';
import { settingsHere } from '../support/cli.js';
import { postJson } from '../support/post-json.js';
import { withinTurns } from '../support/until.js';

/** A value with its name, as OTLP writes it in JSON. */
interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}
interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
}
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SECRET = 'token-of-a-link-that-nobody-may-see';

/** A collector that keeps all that it receives. */
class Collector {
  readonly received: { readonly path: string; readonly text: string }[] = [];
  readonly #server: Server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      this.received.push({ path: request.url ?? '', text });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get spans(): ExportedSpan[] {
    return this.#parts('/v1/traces').flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: ExportedSpan[] }[] }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    );
  }

  #parts(wanted: string) {
    return this.received.filter(({ path }) => path === wanted).map(({ text }) => JSON.parse(text));
  }
}

const attribute = ({ attributes }: { attributes: readonly Attribute[] }, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};

const collector = new Collector();
const settings = settingsHere();
let apiKey = '';
let predictId = '';

beforeAll(async () => {
  ({ apiKey } = await newAccount(settings.DATABASE_URL, 'test', 1000));
  const endpoint = await collector.listen();
  const server = await startServer(
    readConfig({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` }),
  );
  try {
    for (const name of ['predict', 'population_share'] as const) {
      const operation = OPERATIONS.find((one) => one.name === name);
      const answer = await ask(server.address, operation?.path ?? '', operation?.example ?? {});
      expect(answer.status, await answer.text()).toBe(200);
    }
    const refused = await ask(server.address, '/v1/predict', {});
    predictId = (await refused.json()).request_id;
    const opened = await fetch(`${server.address}/account/verify?token=${SECRET}`);
    expect(await opened.text()).not.toBe('');
  } finally {
    await server.close();
  }
});
afterAll(() => collector.close());

function ask(address: string, path: string, body: object): Promise<Response> {
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  return postJson(address + path, apiKey, body, { connection: 'close', traceparent });
}

describe('traces', () => {
  it('have a span for each request, in the trace of the caller', () => {
    const predicted = collector.spans.filter(({ name }) => name === 'POST /v1/predict');
    expect(predicted).toHaveLength(2);
    for (const span of predicted) {
      expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
      expect(attribute(span, 'http.route')).toBe('/v1/predict');
    }
    expect(predicted.map((span) => attribute(span, 'http.response.status_code'))).toEqual([
      200, 400,
    ]);
  });

  it('have spans for charges and computations inside it', () => {
    const { spans } = collector;
    const named = (wanted: string) => spans.filter(({ name }) => name === wanted);
    expect(named('charge predict')).toHaveLength(1);
    expect(attribute(named('charge predict')[0] ?? { attributes: [] }, 'vitruvia.outcome')).toBe(
      'charged',
    );
    expect(named('compute population_share')).toHaveLength(1);
    // Heavy operations are admitted before they are computed, and charged afterwards.
    expect(named('charge population_share').length).toBeGreaterThanOrEqual(2);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    for (const span of [...named('charge predict'), ...named('compute population_share')]) {
      expect(span.traceId).toBe(TRACE);
      expect(ids).toContain(span.parentSpanId);
    }
  });

  it('name the request in every span', () => {
    const ids = collector.spans.map((span) => attribute(span, 'vitruvia.request_id'));
    expect(ids.length).toBeGreaterThan(8);
    for (const id of ids) expect(id).toMatch(/^req_\w{29}$/);
    expect(ids).toContain(predictId);
    // Four requests, and all their spans.
    expect(new Set(ids).size).toBe(4);
  });

  it('hold no token and no key', () => {
    const all = collector.received.map(({ text }) => text).join('\n');
    expect(all).toContain('/account/verify');
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain(apiKey);
  });
});

describe('a collector that is away', () => {
  it('costs no request anything and does not delay the end', async () => {
    const server = await startServer(
      readConfig({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }),
    );
    const operation = OPERATIONS.find(({ name }) => name === 'predict');
    const answer = await ask(server.address, '/v1/predict', operation?.example ?? {});
    expect(answer.status, await answer.text()).toBe(200);
    // Turns of 50 ms. An export ends after ten seconds.
    expect(await withinTurns(100, server.close())).not.toBe('too late');
  });
});

describe('the address of the collector', () => {
  it.each(['collector:4318', 'ftp://collector', 'http://user@collector', 'http://c/?x=1'])(
    'is refused if it is %s',
    (address) => {
      expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: address })).toThrow(
        /OTEL_EXPORTER_OTLP_ENDPOINT must be the base address of a collector/,
      );
    },
  );
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../support/use-service.js';

const TIMEOUT_MS = 1000;
const POST = 'POST /v1/predict HTTP/1.1\r\n';
const BODY = JSON.stringify({ measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 });

const service = useService({ requestTimeoutMs: TIMEOUT_MS });
let key: string;

beforeAll(async () => {
  const customer = await service.customer(5);
  key = `Authorization: Bearer ${customer.apiKey}\r\nContent-Type: application/json\r\n`;
});

/** Sends text, then sends `drip` again and again. Resolves to all that the server sent until the end. */
async function exchange(text: string, drip = ''): Promise<string> {
  const { port } = new URL(await service.address());
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  const closed = once(socket, 'close');
  socket.write(text);
  const dripping = setInterval(() => drip !== '' && socket.write(drip), TIMEOUT_MS / 20);
  await closed;
  clearInterval(dripping);
  socket.destroy();
  return answer;
}

describe('a request that is not complete in time', () => {
  it.concurrent.each([
    ['headers', `${POST}Host: a\r\n`, 'X-A: b\r\n'],
    ['a header value', `${POST}Host: a\r\nX-A: `, 'b'],
    ['a path', 'GET /', 'a'],
    [
      'headers after another request',
      `GET / HTTP/1.1\r\nHost: a\r\n\r\n${POST}Host: a\r\n`,
      'A: b\r\n',
    ],
    ['no byte', '', ''],
  ])('is ended while it sends %s', async (_, text, drip) => {
    const answer = await exchange(text, drip);
    expect(answer).toMatch(/HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it.concurrent.each([
    ['a body', 'Content-Length: 1000\r\n\r\n', ' '],
    ['a chunked body', 'Transfer-Encoding: chunked\r\n\r\n', '1\r\n \r\n'],
  ])('is ended while it sends %s', async (_, rest, drip) => {
    const answer = await exchange(`${POST}Host: a\r\n${key}${rest}`, drip);
    expect(answer).toMatch(/HTTP\/1\.1 408 Request Timeout\r\n/);
  });
});

describe('the host of a request', () => {
  const end = `Connection: close\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

  it.each([
    ['two Host headers', 'Host: a\r\nhost: b\r\n', 'There is more than one Host header.'],
    ['the same Host twice', 'Host: a\r\nHost: a\r\n', 'There is more than one Host header.'],
    ['no Host', '', 'The Host header is missing.'],
  ])('is refused with 400: %s', async (_, hosts, message) => {
    for (const path of ['POST /v1/predict', 'POST /mcp', 'GET /health', 'GET /docs', 'GET /gone']) {
      const answer = await exchange(`${path} HTTP/1.1\r\n${hosts}${key}${end}`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(answer).toContain(message);
      expect(answer).toContain('"code":"validation_error"');
    }
  });

  it('may be missing in HTTP/1.0', async () => {
    const answer = await exchange('GET /health HTTP/1.0\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('is that of an absolute request target, not that of the header', async () => {
    const target = 'http://unknown.example';
    const predicted = await exchange(
      `POST ${target}/v1/predict HTTP/1.1\r\nHost: a\r\n${key}${end}`,
    );
    expect(predicted).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    // Only /mcp looks at the host.
    const accepted = await exchange(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${key}${end}`);
    expect(accepted).not.toMatch(/^HTTP\/1\.1 403/);
    const refused = await exchange(
      `POST ${target}/mcp HTTP/1.1\r\nHost: localhost\r\n${key}${end}`,
    );
    expect(refused).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
  });
});

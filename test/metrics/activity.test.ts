import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { predict } from '../../src/operations/predict.js';
import { type RunningServer, startServer } from '../../src/server.js';
import { paidSession, signedEvent } from '../payments/stripe-double.js';
import { newAccount } from '../support/accounts.js';
import { settingsHere } from '../support/cli.js';
import { csrfIn, onceIn } from '../support/form-client.js';
import { postJson } from '../support/post-json.js';
import { until } from '../support/until.js';

const SECRET = 'whsec_test';
/** Number of wrong passwords for one address from one network. Further ones are refused. */
const PASSWORDS_MAX = 10;

describe('the metrics of what happens in a service', () => {
  let server: RunningServer;
  let mail: Server;
  let apiKey: string;
  let cookies = '';

  beforeAll(async () => {
    // A mail server that refuses everything.
    mail = createServer((socket) => socket.end('554 no service\r\n')).listen(0, '127.0.0.1');
    await until(async () => mail.listening);
    const { port } = mail.address() as { port: number };
    const settings = settingsHere({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      PUBLIC_URL: 'http://127.0.0.1',
      MAIL_FROM: 'no-reply@vitruvia.example',
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_PRICE_100: 'price_100',
      STRIPE_PRICE_500: 'price_500',
      STRIPE_PRICE_1000: 'price_1000',
    });
    ({ apiKey } = await newAccount(settings.DATABASE_URL, 'test'));
    server = await startServer(readConfig(settings));
  });
  afterAll(async () => {
    await server.close();
    mail.close();
  });

  const metrics = async (): Promise<string> =>
    (await fetch(`${server.metricsAddress}/metrics`)).text();

  /** Sends the form of a page with the hidden token of this page. */
  async function submit(route: string, fields: Record<string, string>): Promise<number> {
    const page = await fetch(`${server.address}${route}`, { headers: { cookie: cookies } });
    cookies =
      page.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';', 1)[0])
        .join('; ') || cookies;
    const html = await page.text();
    const csrf = csrfIn(html);
    const once = onceIn(html) ?? '';
    const answer = await fetch(`${server.address}${route}`, {
      method: 'POST',
      headers: { cookie: cookies, origin: server.address },
      body: new URLSearchParams({ ...fields, csrf, once }),
      redirect: 'manual',
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  it('counts sign-ins, refused attempts and e-mails, without addresses', async () => {
    const input = { email: 'ada@example.com', password: 'wrong horse battery' };
    for (let attempt = 0; attempt < PASSWORDS_MAX; attempt++) {
      expect(await submit('/account/sign-in', input)).toBe(422);
    }
    expect(await submit('/account/sign-in', input)).toBe(429);
    expect(await submit('/account/sign-up', { ...input, name: 'Ada' })).toBe(200);
    await until(async () =>
      (await metrics()).includes('vitruvia_emails_total{outcome="failed"} 1'),
    );
    const text = await metrics();
    expect(text).toContain(`vitruvia_sign_ins_total{outcome="failed"} ${PASSWORDS_MAX}`);
    expect(text).toContain('vitruvia_sign_ins_total{outcome="succeeded"} 0');
    expect(text).toContain('vitruvia_throttled_attempts_total{limit="sign-in pair"} 1');
    expect(text).toContain('vitruvia_emails_waiting 0');
    expect(text).not.toContain('ada@');
  });

  it('counts payment messages by what they report', async () => {
    const send = async (type: string, secret: string): Promise<number> => {
      const { body, signature } = signedEvent(type, paidSession('cs_1'), { secret });
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
      const url = `${server.address}/webhooks/stripe`;
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    expect(await send('checkout.session.completed', SECRET)).toBe(200);
    expect(await send('checkout.session.completed', 'whsec_other')).toBe(400);
    const text = await metrics();
    expect(text).toContain('vitruvia_webhooks_total{type="paid",outcome="received"} 1');
    expect(text).toContain('vitruvia_webhooks_total{type="unreadable",outcome="refused"} 1');
    expect(text).toContain('vitruvia_refunds 0');
  });

  it('shows readiness, room on the disks and the time of flushes', async () => {
    const url = `${server.address}/v1/predict`;
    expect((await postJson(url, apiKey, predict.example)).status).toBe(200);
    const text = await metrics();
    expect(text).toMatch(/^vitruvia_ready 1$/m);
    expect(text).toMatch(/^vitruvia_disk_free_bytes\{disk="database"\} [1-9]/m);
    expect(text).toMatch(/^vitruvia_disk_free_bytes\{disk="artifacts"\} [1-9]/m);
    expect(text).toMatch(/^vitruvia_flush_seconds_count 1$/m);
  });
});

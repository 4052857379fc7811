import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { StripeProvider } from '../../src/payments/stripe-provider.js';

/** Prices of the double, by id. */
export const DOUBLE_PRICES: Readonly<Record<string, { amount: number; currency: string }>> = {
  price_100: { amount: 900, currency: 'eur' },
  price_500: { amount: 3900, currency: 'eur' },
  price_1000: { amount: 6900, currency: 'eur' },
};

/** A request to the double. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

/**
 * A local server with the few routes of Stripe's API that the service uses. Stripe's own client calls it over HTTP. It
 * does not make Stripe's checks.
 */
export interface StripeDouble {
  readonly provider: StripeProvider;
  readonly secret: string;
  readonly requests: SeenRequest[];
  /** Sets the answer about that session. */
  setSession(session: { readonly id: string }): void;
  /** Makes all later requests fail. */
  fail(): void;
  close(): Promise<void>;
}

/** Starts the double and a provider that uses it. */
export async function startStripeDouble(): Promise<StripeDouble> {
  const requests: SeenRequest[] = [];
  let failing = false;
  let sessions = 0;
  const states = new Map<string, object>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { method = '', url: path = '', headers } = request;
    const form = new URLSearchParams(text);
    requests.push({ method, path, headers, form });
    response.setHeader('content-type', 'application/json');
    const price = DOUBLE_PRICES[path.split('/').at(-1) ?? form.get('line_items[0][price]') ?? ''];
    if (failing) {
      response.writeHead(400).end(JSON.stringify({ error: { message: 'no', type: 'api_error' } }));
    } else if (method === 'GET' && path.startsWith('/v1/prices/') && price !== undefined) {
      const { amount: unit_amount, currency } = price;
      const id = path.split('/').at(-1);
      response.end(
        JSON.stringify({
          id,
          object: 'price',
          active: true,
          type: 'one_time',
          unit_amount,
          currency,
        }),
      );
    } else if (method === 'GET' && path.startsWith('/v1/checkout/sessions/')) {
      response.end(JSON.stringify(states.get(path.split('/').at(-1) ?? '') ?? {}));
    } else if (method === 'POST' && path === '/v1/checkout/sessions') {
      const sold = DOUBLE_PRICES[form.get('line_items[0][price]') ?? ''];
      sessions++;
      const id = `cs_test_${sessions}`;
      response.end(
        JSON.stringify({
          id,
          object: 'checkout.session',
          url: `https://checkout.stripe.test/c/${id}`,
          amount_total: sold?.amount ?? null,
          currency: sold?.currency ?? null,
          payment_intent: null,
          payment_status: 'unpaid',
        }),
      );
    } else {
      response.writeHead(404).end(JSON.stringify({ error: { message: 'no such route' } }));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const secret = 'whsec_0123456789abcdef';
  const provider = new StripeProvider({
    secretKey: 'sk_test_double',
    webhookSecret: secret,
    priceIds: { 100: 'price_100', 500: 'price_500', 1000: 'price_1000' },
    api: { host: '127.0.0.1', port, protocol: 'http' },
  });
  return {
    provider,
    secret,
    requests,
    setSession: (session) => {
      states.set(session.id, session);
    },
    fail: () => {
      failing = true;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** How a message is signed. */
export interface Signing {
  readonly secret: string;
  /** Time of the signature in seconds since the epoch. By default, the present time. */
  readonly timestamp?: number;
}

let events = 0;

/** Body and `Stripe-Signature` of a webhook request. Stripe's own library signs it. */
export function signedEvent(type: string, object: object, { secret, timestamp }: Signing) {
  events++;
  const payload = JSON.stringify({ id: `evt_${events}`, object: 'event', type, data: { object } });
  const when = timestamp === undefined ? {} : { timestamp };
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, ...when });
  return { body: Buffer.from(payload), signature };
}

/** A paid checkout session. */
export function paidSession(id: string, more: object = {}) {
  return {
    id,
    object: 'checkout.session',
    payment_status: 'paid',
    payment_intent: `pi_${id}`,
    amount_total: 3900,
    currency: 'eur',
    ...more,
  };
}

/** A refund of the payment of that session. */
export function refundOf(sessionId: string, id: string, amount: number, status = 'succeeded') {
  const payment_intent = `pi_${sessionId}`;
  return { id, object: 'refund', payment_intent, amount, currency: 'eur', status };
}

import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './client.js';
import { VICTIM } from './requests.js';
import type { AttackedService } from './service.js';

const SIGN_IN = '/account/sign-in';
const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

/** Loads a page, or sends its form. */
function load(address: string, from: string, form?: { cookie: string; fields: object }) {
  const body = new URLSearchParams({ ...form?.fields }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const headers = form === undefined ? {} : { ...type, origin: address, cookie: form.cookie };
  return new Promise<Page>((resolve, reject) => {
    const options = { method: form === undefined ? 'GET' : 'POST', agent, headers };
    const asked = request(new URL(SIGN_IN, address), { ...options, localAddress: from });
    asked.on('response', async (response: IncomingMessage) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
    });
    asked.on('error', reject);
    asked.end(form === undefined ? undefined : body);
  });
}

/** A sign-in with a wrong password through a real form, as from a browser at an address of loopback. */
async function formOf(address: string, from: string) {
  const page = await load(address, from);
  const [cookie = ''] = String(page.headers['set-cookie']?.[0]).split(';');
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? [];
  if (csrf === '') throw new Error(`the form has no token (status ${page.status})`);
  return (email: string) =>
    load(address, from, { cookie, fields: { csrf, email, password: 'a wrong password' } });
}

const PER_SECOND = 40;
const NETWORKS = 100;
/** Longest time for which the forms may hold the event loop. */
const HOLD_MAX_MS = 20;

/** Item 9: real sign-in forms with wrong passwords, from one network and from many, beside honest people. */
export async function* signIns(
  service: AttackedService,
  { seconds }: { readonly seconds: number },
) {
  const { address, victimKeys } = service;
  const honest = await formOf(address, '127.0.0.9');
  const crowds = [
    ['nobody', 0],
    ['one network', 1],
    [`${NETWORKS} networks`, NETWORKS],
  ] as const;
  for (const [name, networks] of crowds) {
    const forms = await Promise.all(
      Array.from({ length: networks }, (_, i) => formOf(address, `127.0.2.${i + 1}`)),
    );
    const seen = { crowd: [] as number[], honest: [] as number[] };
    const predictMs: number[] = [];
    const sent: Promise<unknown>[] = [];
    const send = (work: Promise<unknown>) => void sent.push(work.catch(() => undefined));
    const note = (form: Form, who: 'crowd' | 'honest', email: string) =>
      send(form(email).then(({ status }) => seen[who].push(status)));
    const begunMs = performance.now();
    await service.loop();
    const usedMs = service.processorMs();
    for (let i = 0; performance.now() - begunMs < seconds * 1000; i++) {
      const form = forms[i % networks];
      if (form !== undefined) note(form, 'crowd', `person${i}@example.com`);
      if (i % PER_SECOND === 0) note(honest, 'honest', `honest${name.length}-${i}@example.com`);
      if (i % 4 === 0) {
        const key = victimKeys[i % victimKeys.length] as string;
        send(ask({ address, key }, VICTIM.predict).then(({ ms }) => predictMs.push(ms)));
      }
      await sleep(1000 / PER_SECOND);
    }
    await Promise.all(sent);
    const p99 = predictMs.toSorted((a, b) => a - b)[Math.floor(0.99 * (predictMs.length - 1))];
    const { heldMs } = await service.loop();
    yield {
      item: 9,
      what: `${PER_SECOND} sign-ins a second from ${name} (hold ≤ ${HOLD_MAX_MS} ms)`,
      seen: `got ${counted(seen.crowd)}; predict p99 ${p99?.toFixed(1)} ms; hold ${heldMs.toFixed(1)} ms; ${service.processorMs() - usedMs} ms of processor time`,
      held: heldMs <= HOLD_MAX_MS,
    };
    const refused = seen.honest.filter((status) => status === 503).length;
    const what = '  honest people beside it are not refused';
    const answers = `${refused} of ${seen.honest.length} refused`;
    // Networks without end cannot be told from honest people.
    yield { item: 9, what, seen: answers, ...(networks <= 1 && { held: refused === 0 }) };
  }
}

type Form = Awaited<ReturnType<typeof formOf>>;

const counted = (statuses: readonly number[]): string =>
  [...new Set(statuses)]
    .map((status) => `${statuses.filter((one) => one === status).length} × ${status}`)
    .join(', ') || 'nothing';

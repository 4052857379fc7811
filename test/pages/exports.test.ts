import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { accountOf, FormClient, signedUp } from '../support/form-client.js';
import { type ServiceOptions, startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** More than the buffers of both ends of a connection hold. */
const MANY_ENTRIES = 120_000;
const NEVER_MS = 600_000;

let service: TestService;
const open: IncomingMessage[] = [];
afterEach(async () => {
  for (const answer of open.splice(0)) answer.destroy();
  await service.close();
});

async function start(exportLimits: ServiceOptions['exportLimits']): Promise<void> {
  service = await startService({ exportLimits });
}

let users = 0;
/** Creates a signed-in user. `download` requests the export and resolves when the headers have arrived. */
async function customer(entries: number) {
  const email = `export${++users}@example.com`;
  const { cookies } = await signedUp(service, email, {
    client: new FormClient(service, { address: `10.1.0.${users}` }),
  });
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const account = await accountOf(service, email);
  await sql`insert into ledger_entries
      (account_id, mode, kind, credits, free_calls, cause, operation, rate_hits, at_ms, balance_after)
    with recursive each(n) as (select 1 union all select n + 1 from each where n < ${entries})
    select ${account}, 'live', 'usage', 0, 1, ${`request:${account}-`} || n, 'predict', 1,
      ${Date.now()}, 0 from each`.execute(service.db);
  const download = async (): Promise<IncomingMessage> => {
    const headers = { cookie, host: 'localhost' };
    const request = get(`${await service.address()}/account/ledger.csv`, { headers, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    // Nothing is read until the test asks for it.
    answer.pause();
    answer.on('error', () => undefined);
    open.push(answer);
    return answer;
  };
  const statusNow = async () => {
    const answer = await download();
    answer.destroy();
    return answer.statusCode;
  };
  return { download, statusNow };
}

async function linesOf(answer: IncomingMessage): Promise<number> {
  let lines = 0;
  for await (const chunk of answer) lines += String(chunk).split('\n').length - 1;
  return lines;
}

it('an export after the session has ended leads to the page of the ledger, and is saved as nothing', async () => {
  await start({});
  const user = await signedUp(service, 'ada@example.com');
  // With a `download` attribute, a browser would save the page that it is redirected to as the table.
  expect((await user.get('/account/ledger?mode=test')).html).toContain(
    '<a class="button" href="/account/ledger.csv?mode=test">',
  );
  const { status, location } = await new FormClient(service).get('/account/ledger.csv?mode=test');
  expect(status).toBe(303);
  const page = encodeURIComponent('/account/ledger?mode=test');
  expect(location).toBe(`/account/sign-in?next=${page}`);
});

it('a reader that stalls delays no other account, and frees its place when it leaves', async () => {
  await start({ writeTimeoutMs: NEVER_MS });
  const [one, two] = [await customer(MANY_ENTRIES), await customer(2500)];
  const stalled = await one.download();
  const answer = await two.download();
  expect([stalled.statusCode, answer.statusCode]).toEqual([200, 200]);
  expect(await linesOf(answer)).toBe(2501);
  // The first export is still open. An account may have one at a time.
  expect(await one.statusNow()).toBe(429);
  stalled.destroy();
  await until(async () => (await one.statusNow()) === 200);
});

it('a reader that takes nothing in time is disconnected', async () => {
  await start({ writeTimeoutMs: 300 });
  const { download, statusNow } = await customer(MANY_ENTRIES);
  const answer = await download();
  await until(async () => (await statusNow()) === 200);
  const ended = linesOf(answer);
  await expect(ended).rejects.toThrow('aborted');
});

it('further exports are refused when all places are taken', async () => {
  await start({ writeTimeoutMs: NEVER_MS, openMax: 1 });
  const [one, two] = [await customer(MANY_ENTRIES), await customer(1)];
  const answer = await one.download();
  const refused = await two.download();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '30']);
  answer.destroy();
  await until(async () => (await two.statusNow()) === 200);
});

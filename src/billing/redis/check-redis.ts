import { Redis } from 'ioredis';
import { errorCode, RedisOpenError, type RedisOpenReason } from '../../database/errors.js';
import { clusterNodes, securityOf } from './connect.js';
import { SETTINGS_SECTIONS, settingsFaults } from './settings.js';

const CONNECT_TIMEOUT_MS = 2000;
/** Redis ignores a password that it does not need, and so does the service. */
const NEEDLESS_PASSWORD = /called without any password configured|no password is set/;

/**
 * Checks that Redis can be used: it must answer, and accept the password and the database of the
 * URL. In a cluster, one such node is enough. In production, no node that answers may have settings
 * that can lose charges.
 *
 * @param url as for `connectRedis`
 * @throws RedisOpenError with the address and the cause, never with the password
 */
export async function checkRedis(url: string, production = false): Promise<void> {
  const nodes = clusterNodes(url);
  if (nodes === undefined) return await checkNode(url, { production });
  const options = { ...securityOf(nodes[0] ?? ''), cluster: true, production };
  const checks = await Promise.allSettled(nodes.map((node) => checkNode(node, options)));
  const failed = checks.flatMap((check) => (check.status === 'rejected' ? check.reason : []));
  const unsafe = failed.find(({ reason }: RedisOpenError) => reason === 'settings');
  if (unsafe !== undefined || failed.length === nodes.length) throw unsafe ?? failed[0];
}

async function checkNode(
  url: string,
  {
    cluster = false,
    production,
    ...security
  }: ReturnType<typeof securityOf> & { readonly cluster?: boolean; readonly production: boolean },
): Promise<void> {
  const known = new Redis(url, { ...security, lazyConnect: true }).options;
  const { host = '127.0.0.1', port = 6379, username, password, db = 0, tls } = known;
  const client = new Redis({
    ...{ host, port, connectTimeout: CONNECT_TIMEOUT_MS, commandTimeout: CONNECT_TIMEOUT_MS },
    ...{ lazyConnect: true, enableReadyCheck: false, maxRetriesPerRequest: 0, protocol: 2 },
    ...(tls === undefined ? {} : { tls }),
    retryStrategy: () => null,
  });
  const where = `Redis at ${host}:${port}`;
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  try {
    await client.connect();
    // Sends these commands one by one, because the client itself reports none of their refusals.
    if (password) await logIn(client, username, password);
    if (db !== 0) await client.call('select', db);
    await client.call('ping');
    if (cluster) await client.call('cluster', 'info');
    if (production) refuseUnsafe(`${await client.call('info', ...SETTINGS_SECTIONS)}`, where);
  } catch (error) {
    if (error instanceof RedisOpenError) throw error;
    const failure = error as Error;
    const cause = failure.message === 'Connection is closed.' ? (lost ?? failure) : failure;
    const message = `${where} cannot be used (${withoutSecret(cause.message, password)}).`;
    throw new RedisOpenError(openReason(cause), message);
  } finally {
    client.disconnect();
  }
}

/** Refuses settings that can lose charges. Keys that were evicted before are left to the running service. */
function refuseUnsafe(info: string, where: string): void {
  const faults = settingsFaults(info).filter(({ kind }) => kind !== 'evicted');
  if (faults.length === 0) return;
  const why = faults.map(({ text }) => text).join('; ');
  throw new RedisOpenError('settings', `${where} cannot be used in production (${why}).`);
}

async function logIn(client: Redis, username: string | null | undefined, password: string) {
  try {
    await client.call('auth', ...(username ? [username, password] : [password]));
  } catch (error) {
    if (!NEEDLESS_PASSWORD.test((error as Error).message)) throw error;
  }
}

function openReason(error: Error): RedisOpenReason {
  const { message } = error;
  if (/^(WRONGPASS|NOAUTH|NOPERM)|invalid password/.test(message)) return 'access_denied';
  if (/DB index|SELECT is not allowed/i.test(message)) return 'no_database';
  if (/cluster support disabled/.test(message)) return 'no_cluster';
  return /EPROTO|SSL|TLS|CERT|ALTNAME/.test(`${errorCode(error)} ${message}`)
    ? 'tls'
    : 'unreachable';
}

function withoutSecret(text: string, password: string | null | undefined): string {
  return password ? text.replaceAll(password, '…') : text;
}

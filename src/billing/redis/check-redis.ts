import { Redis } from 'ioredis';
import { errorCode, RedisOpenError, type RedisOpenReason } from '../../database/errors.js';
import { clusterNodes, securityOf } from './connect.js';

const CONNECT_TIMEOUT_MS = 2000;
/** Redis ignores a password that it does not need, and so does the service. */
const NEEDLESS_PASSWORD = /called without any password configured|no password is set/;

/**
 * Checks that Redis can be used: it must answer, and accept the password and the database of the
 * URL. In a cluster, one such node is enough.
 *
 * @param url as for `connectRedis`
 * @throws RedisOpenError with the address and the cause, never with the password
 */
export async function checkRedis(url: string): Promise<void> {
  const nodes = clusterNodes(url);
  if (nodes === undefined) return await checkNode(url);
  const security = securityOf(nodes[0] ?? '');
  const checks = nodes.map((node) => checkNode(node, { ...security, cluster: true }));
  try {
    await Promise.any(checks);
  } catch (error) {
    throw (error as AggregateError).errors[0];
  }
}

async function checkNode(
  url: string,
  {
    cluster = false,
    ...security
  }: ReturnType<typeof securityOf> & { readonly cluster?: boolean } = {},
): Promise<void> {
  const known = new Redis(url, { ...security, lazyConnect: true }).options;
  const { host = '127.0.0.1', port = 6379, username, password, db = 0, tls } = known;
  const client = new Redis({
    ...{ host, port, connectTimeout: CONNECT_TIMEOUT_MS, commandTimeout: CONNECT_TIMEOUT_MS },
    ...{ lazyConnect: true, enableReadyCheck: false, maxRetriesPerRequest: 0, protocol: 2 },
    ...(tls === undefined ? {} : { tls }),
    retryStrategy: () => null,
  });
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
  } catch (error) {
    const failure = error as Error;
    const cause = failure.message === 'Connection is closed.' ? (lost ?? failure) : failure;
    const message = `Redis at ${host}:${port} cannot be used (${withoutSecret(cause.message, password)}).`;
    throw new RedisOpenError(openReason(cause), message);
  } finally {
    client.disconnect();
  }
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

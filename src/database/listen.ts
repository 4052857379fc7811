import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionOptions } from './postgres.js';

const RETRY_MS = 500;
const CLOSE_WAIT_MS = 500;

/** A subscription to a PostgreSQL channel. */
export interface Listener {
  /** Ends the subscription. */
  close(): Promise<void>;
}

/**
 * Calls back on every NOTIFY of a channel. It uses its own connection and reconnects when that is
 * lost. It also calls back after every connect, because notifications may have been missed.
 *
 * @param channel name of the channel, such as `vitruvia_outbox`
 */
export function listen(url: string, channel: string, onNotice: () => void): Listener {
  const closing = new AbortController();
  const ended = keepListening(url, channel, onNotice, closing.signal);
  return {
    async close() {
      closing.abort();
      await ended;
    },
  };
}

async function keepListening(
  url: string,
  channel: string,
  onNotice: () => void,
  signal: AbortSignal,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  while (!signal.aborted) {
    const client = new pg.Client(connectionOptions(url));
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
    });
    client.on('notification', onNotice);
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      onNotice();
      await Promise.race([lost, closed]);
    } catch {
      // The server is down. Code that reads or writes there reports it.
    }
    // A server that hangs does not confirm the end of the connection either.
    await Promise.race([client.end().catch(() => undefined), sleep(CLOSE_WAIT_MS)]);
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}

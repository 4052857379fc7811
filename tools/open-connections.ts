import { readFileSync } from 'node:fs';

/** Connections of a server, as the system sees them. */
export interface OpenConnections {
  /** Connections that the server has not closed. */
  readonly open: number;
  /** Bytes of all connections that the system keeps for clients that have not read them. */
  readonly unreadBytes: number;
  /** Number of all connections that the system knows. */
  readonly known: number;
}

/**
 * Counts connections of a server to some clients (Linux; proc_pid_net(5)).
 *
 * @param port port of the server, at an IPv4 address
 * @param clients ports of the clients
 */
export function openConnections(port: number, clients: readonly number[]): OpenConnections {
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  // A row looks like `0: 0100007F:1F90 0100007F:C350 01 0003A980:00000000 …`: number, local and remote address, state,
  // bytes to send and to read. The tenth field is the inode; it is 0 if no process has the connection any more.
  const second = (pair = '') => Number.parseInt(pair.split(':')[1] ?? '', 16);
  const own = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, remote]) => second(local) === port && clients.includes(second(remote)));
  return {
    open: own.filter((row) => row[9] !== '0').length,
    unreadBytes: own.reduce((sum, row) => sum + Number.parseInt(row[4] ?? '0', 16), 0),
    known: own.length,
  };
}

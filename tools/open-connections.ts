import { readFileSync } from 'node:fs';

/**
 * How many connections of a server to some clients the system has (Linux), also those that it only keeps because the
 * client has not read what was sent.
 *
 * @param port of the server, at an IPv4 address
 * @param clients ports of the clients
 */
export function openConnections(port: number, clients: readonly number[]): number {
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  // Such as `0: 0100007F:1F90 0100007F:C350 01 …`: number, local and remote address with port, state.
  const portOf = (address = '') => Number.parseInt(address.split(':')[1] ?? '', 16);
  return rows.filter((row) => {
    const [, local, remote] = row.trim().split(/\s+/);
    return portOf(local) === port && clients.includes(portOf(remote));
  }).length;
}

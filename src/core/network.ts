import ipaddr from 'ipaddr.js';
import { BoundedMap } from './bounded-map.js';

/** Networks of the addresses that came last, because parsing an address is slow beside a request. */
const remembered = new BoundedMap<string, string>(1000);

/**
 * The network of an internet address. For an IPv4 address, also one mapped into IPv6, it is the address itself. For an
 * IPv6 address, it is the first 64 bits, which belong to one customer (RFC 6177). Any other text is returned unchanged.
 */
export function networkOf(address: string): string {
  const network = remembered.get(address) ?? parsedNetwork(address);
  if (!remembered.has(address)) remembered.set(address, network);
  return network;
}

function parsedNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4);
  return groups.map((group) => group.toString(16)).join(':');
}

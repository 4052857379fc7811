import ipaddr from 'ipaddr.js';

/**
 * The network that an internet address belongs to: an IPv4 address itself, also when it is mapped
 * into IPv6, or the first 64 bits of an IPv6 address, which one customer has (RFC 6177). Anything
 * else is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4);
  return groups.map((group) => group.toString(16)).join(':');
}

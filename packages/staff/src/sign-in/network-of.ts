import ipaddr from 'ipaddr.js';

/** The smallest network that a household or a server gets: one IPv6 address of it means all of them. */
const IPV6_NETWORK_BITS = 64;

/**
 * The network that a limit counts an address by: IPv4 as it is, also where IPv6 carries it (mapped, or translated as in RFC 6052), and of
 * IPv6 the first 64 bits. Text that is no address counts as itself.
 */
export function networkOf(address: string): string {
  const text = address.trim().toLowerCase();
  if (!ipaddr.isValid(text)) return text;
  const parsed = ipaddr.process(text);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const bytes = parsed.toByteArray();
  if (parsed.range() === 'rfc6052') return ipaddr.fromByteArray(bytes.slice(-4)).toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ipaddr.fromByteArray(bytes)}/${IPV6_NETWORK_BITS}`)}/${IPV6_NETWORK_BITS}`;
}

import { BlockList, isIP } from 'node:net';
import type { Mode } from '@switchyard/db/client';

/** Forbidden in every mode: unspecified, multicast, or link-local, where clouds serve credentials. */
const nowhere = blockList(
  ['0.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Only public or private IPv6 ranges are allowed at all; these lie in between.
  ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
);

/** This machine and private networks: allowed in test mode, forbidden in live mode. */
const near = blockList(
  ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ['::1/128', 'fc00::/7'],
);

const publicRanges = blockList(['2000::/3']);

/**
 * Whether events of a mode may be sent to an address, written as IPv4 or IPv6. Live mode: only public ones. IPv6 notations of an
 * IPv4 address (mapped, translated, tunnelled) are refused in both modes.
 */
export function mayConnectTo(address: string, mode: Mode): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  if (isMapped(address) || nowhere.check(address, kind)) return false;
  if (near.check(address, kind)) return mode === 'test';
  return family === 4 || publicRanges.check(address, kind);
}

/** `::ffff:0:0/96` in any notation; otherwise the IPv4 rules would apply to it. */
function isMapped(address: string): boolean {
  if (isIP(address) !== 6) return false;
  return URL.parse(`http://[${address}]`)?.hostname.startsWith('[::ffff:') ?? true;
}

function blockList(...subnets: readonly (readonly string[])[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.flat()) {
    const [net = '', prefix] = subnet.split('/');
    list.addSubnet(net, Number(prefix), isIP(net) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

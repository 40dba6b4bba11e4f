import { BlockList, isIP } from 'node:net';
import type { ApiKey } from '@switchyard/db/client';
import { z } from 'zod';

/** Scopes of keys. Every endpoint of the REST API needs one of them. */
export const KEY_SCOPES = [
  'payments:write',
  'payments:read',
  'refunds:write',
  'refunds:read',
  'events:read',
  'settlements:read',
  'rules:read',
  'rules:write',
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Scopes that a key has only when they were granted by name; a key without scopes has all others. */
const GRANTED_BY_NAME: ReadonlySet<KeyScope> = new Set(['rules:read', 'rules:write']);

/** Most networks in the list of one key. */
const ALLOWED_ADDRESSES_MAX = 100;

const NETWORK = 'must be an IP address or a network such as 203.0.113.0/24 or 2001:db8::/32';

/** Restrictions as staff enter them: duplicates are dropped, networks are written in one way. */
export const keyRestrictionsSchema = z.object({
  scopes: z.array(z.enum(KEY_SCOPES, `must be one of ${KEY_SCOPES.join(', ')}`)).transform(distinct),
  allowedAddresses: z
    .array(
      z
        .string('must be text')
        .max(64, NETWORK)
        .transform((text, context) => {
          const network = parseNetwork(text);
          if (network !== null) return network.text;
          context.addIssue({ code: 'custom', message: `${NETWORK}; “${text.trim().slice(0, 64)}” is neither` });
          return z.NEVER;
        }),
    )
    .max(ALLOWED_ADDRESSES_MAX, `must have at most ${ALLOWED_ADDRESSES_MAX} entries`)
    .transform(distinct),
});

/** Checks of the requests with a key; made once for each key that is read into memory. */
export interface KeyGuard {
  /** True if requests from this address are accepted. An unknown address passes only where any does. */
  allowsAddress(address: string | null): boolean;
  allowsScope(scope: KeyScope): boolean;
}

const guards = new WeakMap<RestrictedKey, KeyGuard>();
type RestrictedKey = Pick<ApiKey, 'scopes' | 'allowedAddresses'>;

/** The guard of a key in memory. A row read again is a new object, so a change takes effect with the configuration. */
export function guardOf(key: RestrictedKey): KeyGuard {
  const known = guards.get(key);
  if (known !== undefined) return known;
  const guard = createGuard(key);
  guards.set(key, guard);
  return guard;
}

function createGuard({ scopes, allowedAddresses }: RestrictedKey): KeyGuard {
  const allowedScopes = new Set(scopes);
  const networks = new BlockList();
  for (const text of allowedAddresses) {
    const network = parseNetwork(text);
    if (network !== null) networks.addSubnet(network.address, network.prefix, network.family);
  }
  return {
    allowsScope: (scope) => allowedScopes.has(scope) || (allowedScopes.size === 0 && !GRANTED_BY_NAME.has(scope)),
    allowsAddress(address) {
      if (allowedAddresses.length === 0) return true;
      const plain = address === null ? null : withoutMapping(address);
      return plain !== null && networks.check(plain.address, plain.family);
    },
  };
}

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
  /** As it is stored and shown. */
  readonly text: string;
}

/** Reads an address or a network; null when it is neither. IPv4 mapped into IPv6 is read as IPv4. */
function parseNetwork(written: string): Network | null {
  const [given = '', length, ...rest] = written.trim().toLowerCase().split('/');
  const plain = withoutMapping(given);
  if (plain === null || rest.length > 0) return null;
  const { address, family } = plain;
  const bits = family === 'ipv4' ? 32 : 128;
  if (length === undefined) return { address, family, prefix: bits, text: address };
  if (!/^\d{1,3}$/.test(length)) return null;
  // The length of a mapped network counts the 96 bits of the mapping.
  const prefix = Number(length) - (isIP(given) === 6 && family === 'ipv4' ? 96 : 0);
  if (prefix < 0 || prefix > bits) return null;
  return { address, family, prefix, text: prefix === bits ? address : `${address}/${prefix}` };
}

/** An address without a zone, and without the mapping where it is IPv4 mapped into IPv6; null when it is none. */
function withoutMapping(text: string): Pick<Network, 'address' | 'family'> | null {
  switch (isIP(text)) {
    case 4:
      return { address: text, family: 'ipv4' };
    case 6: {
      if (text.includes('%')) return null;
      // The URL parser writes each IPv6 address in one way, a mapped one as two groups of hexadecimal digits.
      const address = new URL(`http://[${text}]`).hostname.slice(1, -1);
      const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
      if (mapped === null) return { address, family: 'ipv6' };
      const [, high = '', low = ''] = mapped;
      const bytes = [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
      return { address: bytes.join('.'), family: 'ipv4' };
    }
    default:
      return null;
  }
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

import { BlockList, isIP } from 'node:net';
import type { ApiKey, Mode } from '@switchyard/db/client';
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

/** Stands alone among the scopes of a key that may do everything but what is granted by name. A key without any scope may do nothing. */
export const FULL_ACCESS = 'full_access';

/** Scopes that a key has only when they were granted by name, full access or not. */
const GRANTED_BY_NAME: ReadonlySet<KeyScope> = new Set(['rules:read', 'rules:write']);

/** The scopes that a key has which its scopes as stored name. */
export function scopesOf(stored: readonly string[]): KeyScope[] {
  const isFull = stored.includes(FULL_ACCESS);
  return KEY_SCOPES.filter((scope) => stored.includes(scope) || (isFull && !GRANTED_BY_NAME.has(scope)));
}

/** Scopes of a key that a person may not give; all may be given where `grantable` is left out, as by the command line. */
export function scopesBeyond(stored: readonly string[], mode: Mode, grantable: GrantableScopes | undefined): KeyScope[] {
  if (grantable === undefined) return [];
  const given = grantable(mode);
  return scopesOf(stored).filter((scope) => !given.has(scope));
}

/** The scopes that a person may give to keys of a mode. */
export type GrantableScopes = (mode: Mode) => ReadonlySet<KeyScope>;

/** Most networks in the list of one key. */
const ALLOWED_ADDRESSES_MAX = 100;

const NETWORK = 'must be an IP address or a network such as 203.0.113.0/24 or 2001:db8::/32';

/** Restrictions as staff enter them: duplicates are dropped, networks are written in one way. */
export const keyRestrictionsSchema = z.object({
  scopes: z
    .array(z.enum([FULL_ACCESS, ...KEY_SCOPES], `must be ${FULL_ACCESS} or some of ${KEY_SCOPES.join(', ')}`))
    .min(1, `must be ${FULL_ACCESS} or have at least one permission: nothing chosen is not everything`)
    .transform(distinct)
    .refine((scopes) => scopes.length === 1 || !scopes.includes(FULL_ACCESS), `must be ${FULL_ACCESS} alone, or without it`),
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
  const allowedScopes = new Set(scopesOf(scopes));
  const networks = new BlockList();
  for (const text of allowedAddresses) {
    const network = parseNetwork(text);
    if (network !== null) networks.addSubnet(network.address, network.prefix, network.family);
  }
  return {
    allowsScope: (scope) => allowedScopes.has(scope),
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

/** An address without a zone, and without the mapping where it is IPv4 mapped into IPv6; null for text that is not an address. */
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

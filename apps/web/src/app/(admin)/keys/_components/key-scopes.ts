import type { Choice } from '#/components/field/field.tsx';
import type { KeyRow } from './key-row.ts';

/** Scopes of a key, in the order in which they are offered. */
export const KEY_SCOPES = [
  { value: 'payments:write', label: 'Start and verify payments (payments:write)' },
  { value: 'payments:read', label: 'Read payments (payments:read)' },
  { value: 'refunds:write', label: 'Request refunds (refunds:write)' },
  { value: 'refunds:read', label: 'Read refunds (refunds:read)' },
  { value: 'events:read', label: 'Read events (events:read)' },
  { value: 'settlements:read', label: 'Read settlements (settlements:read)' },
  { value: 'rules:read', label: 'Read and check routing rules (rules:read)' },
  { value: 'rules:write', label: 'Save routing rules as drafts (rules:write)' },
] as const satisfies readonly Choice<string>[];
export type KeyScope = (typeof KEY_SCOPES)[number]['value'];

/** The scopes of a listed key. */
export function scopesOf({ scopes }: Pick<KeyRow, 'scopes'>): KeyScope[] {
  return KEY_SCOPES.map(({ value }) => value).filter((value) => scopes.includes(value));
}

/** Restrictions of a key: `payments:read, from 2 networks`; null for a key without limits. */
export function describeRestrictions({ scopes, allowedAddresses }: Pick<KeyRow, 'scopes' | 'allowedAddresses'>): string | null {
  const [only, ...others] = allowedAddresses;
  const from = others.length === 0 ? only : `${allowedAddresses.length} networks`;
  const parts = [...scopes, ...(from === undefined ? [] : [`from ${from}`])];
  return parts.length === 0 ? null : parts.join(', ');
}

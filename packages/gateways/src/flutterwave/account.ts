import { type Access, accessTo } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';

export const title = 'Flutterwave';
export const baseUrl = 'https://api.flutterwave.com/v3';
export const secretFields = ['secretKey', 'secretHash'] as const;

/** How to reach Flutterwave for this account, or why that would be wrong. */
export function accessOf(account: AccountAccess): Access {
  return accessTo({ title, baseUrl, secretFields, keyMode }, account);
}

function keyMode(secretKey: string): 'test' | 'live' | null {
  if (secretKey.startsWith('FLWSECK_TEST-')) return 'test';
  return secretKey.startsWith('FLWSECK-') ? 'live' : null;
}

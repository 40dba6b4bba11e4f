import { type Access, accessTo } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';

/** Display name. */
export const title = 'Flutterwave';

/** Base URL of the v3 API, for test and live mode alike. */
export const baseUrl = 'https://api.flutterwave.com/v3';

/** Credential fields that are never recorded. */
export const secretFields = ['secretKey', 'secretHash'] as const;

/** How to reach Flutterwave for this account, or why that would be wrong. */
export function accessOf(account: AccountAccess): Access {
  return accessTo({ title, baseUrl, secretFields, keyMode }, account);
}

function keyMode(secretKey: string): 'test' | 'live' | null {
  if (secretKey.startsWith('FLWSECK_TEST-')) return 'test';
  return secretKey.startsWith('FLWSECK-') ? 'live' : null;
}

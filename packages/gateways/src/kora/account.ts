import { type Access, accessTo } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';

/** Display name. */
export const title = 'Kora';

/** Base URL of the API, for test and live mode alike: the key decides. */
export const baseUrl = 'https://api.korapay.com/merchant/api/v1';

/** Credential fields that are never recorded. */
export const secretFields = ['secretKey'] as const;

/** How to reach Kora for this account, or why that would be wrong. */
export function accessOf(account: AccountAccess): Access {
  return accessTo({ title, baseUrl, secretFields, keyMode }, account);
}

function keyMode(secretKey: string): 'test' | 'live' | null {
  if (secretKey.startsWith('sk_test_')) return 'test';
  return secretKey.startsWith('sk_live_') ? 'live' : null;
}

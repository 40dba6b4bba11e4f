import { type Access, accessTo } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';

export const title = 'Paystack';
export const baseUrl = 'https://api.paystack.co';
export const secretFields = ['secretKey'] as const;

/** How to reach Paystack for this account, or why that would be wrong. */
export function accessOf(account: AccountAccess): Access {
  return accessTo({ title, baseUrl, secretFields, keyMode }, account);
}

function keyMode(secretKey: string): 'test' | 'live' | null {
  if (secretKey.startsWith('sk_test_')) return 'test';
  return secretKey.startsWith('sk_live_') ? 'live' : null;
}

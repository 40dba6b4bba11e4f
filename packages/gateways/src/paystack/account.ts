import { type Access, type AccountRequest, accessTo, callWithAccess } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';
import type { WireReply } from '../http.ts';

/** Display name. */
export const title = 'Paystack';

/** Base URL of the API, for test and live mode alike. */
export const baseUrl = 'https://api.paystack.co';

/** Credential fields that are never recorded. */
export const secretFields = ['secretKey'] as const;

/** How to reach Paystack for this account, or why that would be wrong. */
function accessOf(account: AccountAccess): Access {
  return accessTo({ title, baseUrl, secretFields, keyMode }, account);
}

/** Calls Paystack for this account. Where the account cannot be used, the reply says why, and nothing is called. */
export function callPaystack(account: AccountAccess, request: AccountRequest): Promise<WireReply> {
  return callWithAccess(accessOf(account), request, baseUrl);
}

function keyMode(secretKey: string): 'test' | 'live' | null {
  if (secretKey.startsWith('sk_test_')) return 'test';
  return secretKey.startsWith('sk_live_') ? 'live' : null;
}

import { type Access, type AccountRequest, accessTo, callWithAccess } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';
import type { WireReply } from '../http.ts';

/** Display name. */
export const title = 'Kora';

/** Base URL of the API, for test and live mode alike: the key decides. */
export const baseUrl = 'https://api.korapay.com/merchant/api/v1';

/** Credential fields that are never recorded. */
export const secretFields = ['secretKey'] as const;

/** How to reach Kora for this account, or why that would be wrong. */
function accessOf(account: AccountAccess): Access {
  return accessTo({ title, baseUrl, secretFields, keyMode }, account);
}

/** Calls Kora for this account. Where the account cannot be used, the reply says why, and nothing is called. */
export function callKora(account: AccountAccess, request: AccountRequest): Promise<WireReply> {
  return callWithAccess(accessOf(account), request, baseUrl);
}

function keyMode(secretKey: string): 'test' | 'live' | null {
  if (secretKey.startsWith('sk_test_')) return 'test';
  return secretKey.startsWith('sk_live_') ? 'live' : null;
}

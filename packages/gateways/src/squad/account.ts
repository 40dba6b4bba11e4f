import { type Access, type AccountRequest, accessTo, callWithAccess } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';
import type { WireReply } from '../http.ts';

/** Display name. */
export const title = 'Squad';

/** Base URL of the live API. */
export const baseUrl = 'https://api-d.squadco.com';

/** Base URL of the API for test keys. */
const testBaseUrl = 'https://sandbox-api-d.squadco.com';

/** Credential fields that are never recorded. */
export const secretFields = ['secretKey'] as const;

/** How to reach Squad for this account, or why that would be wrong. */
export function accessOf(account: AccountAccess): Access {
  return accessTo({ title, baseUrl, testBaseUrl, secretFields, keyMode }, account);
}

/** Calls Squad for this account. Where the account cannot be used, the reply says why, and nothing is called. */
export function callSquad(account: AccountAccess, request: AccountRequest): Promise<WireReply> {
  return callWithAccess(accessOf(account), request, baseUrl);
}

function keyMode(secretKey: string): 'test' | 'live' | null {
  if (secretKey.startsWith('sandbox_sk_')) return 'test';
  return secretKey.startsWith('sk_') ? 'live' : null;
}

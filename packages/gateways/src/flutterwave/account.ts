import { type Access, type AccountRequest, accessTo, callWithAccess } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';
import type { WireReply } from '../http.ts';

/** Display name. */
export const title = 'Flutterwave';

/** Base URL of the v3 API, for test and live mode alike. */
export const baseUrl = 'https://api.flutterwave.com/v3';

/** Credential fields that are never recorded. */
export const secretFields = ['secretKey', 'secretHash'] as const;

/** How to reach Flutterwave for this account, or why that would be wrong. */
function accessOf(account: AccountAccess): Access {
  return accessTo({ title, baseUrl, secretFields, keyMode }, account);
}

/** Calls Flutterwave for this account. Where the account cannot be used, the reply says why, and nothing is called. */
export function callFlutterwave(account: AccountAccess, request: AccountRequest): Promise<WireReply> {
  return callWithAccess(accessOf(account), request, baseUrl);
}

function keyMode(secretKey: string): 'test' | 'live' | null {
  if (secretKey.startsWith('FLWSECK_TEST-')) return 'test';
  return secretKey.startsWith('FLWSECK-') ? 'live' : null;
}

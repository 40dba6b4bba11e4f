import { type Access, accessTo } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';
import { settings } from './settings.ts';

/** Display name. */
export const title = 'Monnify';

/** Base URL of the live service. Test accounts have a service of their own, see `settings.testBaseUrl`. */
export const baseUrl = 'https://api.monnify.com';

/** Credential fields that are never shown again. */
export const secretFields = ['secretKey'] as const;

/** Monnify repeats the API key in answers; it has no place in a record either. */
const unrecordedFields = [...secretFields, 'apiKey', 'contractCode'] as const;

/** How to reach Monnify for this account, or why that would be wrong. */
export function accessOf(account: AccountAccess): Access {
  const identity = {
    title,
    baseUrl,
    testBaseUrl: settings.testBaseUrl,
    secretFields: unrecordedFields,
    keyMode,
    key: { field: 'apiKey', title: 'API key' },
  };
  return accessTo(identity, account);
}

function keyMode(apiKey: string): 'test' | 'live' | null {
  if (apiKey.startsWith('MK_TEST_')) return 'test';
  return apiKey.startsWith('MK_PROD_') ? 'live' : null;
}

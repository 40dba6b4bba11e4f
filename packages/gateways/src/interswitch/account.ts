import { type Access, accessTo } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';
import { type Service, settings } from './settings.ts';

/** Display name. */
export const title = 'Interswitch';

/** Base URL of the live service that answers about payments; other services have others, see {@link addressOf}. */
export const baseUrl = settings.hosts.live.collections;

/** Credential fields that are never recorded. */
export const secretFields = ['secretKey', 'webhookSecret'] as const;

/** How to reach Interswitch for this account, or why that would be wrong. */
export function accessOf(account: AccountAccess): Access {
  return accessTo({ title, baseUrl, testBaseUrl: settings.hosts.test.collections, secretFields, keyMode: () => null }, account);
}

/** Where a service is for this account: at the account's own base address, if it has one. */
export function addressOf(service: Service, account: AccountAccess, access: Extract<Access, { kind: 'ready' }>): string {
  return account.baseUrl === null ? settings.hosts[account.mode][service] : access.baseUrl;
}

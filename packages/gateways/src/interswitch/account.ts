import { type Access, accessTo } from '../access.ts';
import type { AccountAccess, Failure } from '../gateway.ts';
import { failure } from '../outcomes.ts';
import { addressFields, type Service, settings } from './settings.ts';

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

/**
 * Where a service is for this account: at the account's own base address, if it has one, else where the documentation says, else at the
 * address that Interswitch confirmed to the merchant. Null for a live account that was given none: a guessed host is never called.
 */
export function addressOf(service: Service, account: AccountAccess, access: Extract<Access, { kind: 'ready' }>): string | null {
  if (account.baseUrl !== null) return access.baseUrl;
  const confirmed = account.credentials[addressFields[service]?.field ?? ''] ?? '';
  return confirmed === '' ? settings.hosts[account.mode][service] : `https://${confirmed}.${settings.liveDomain}`;
}

/** Why a service of a live account without a confirmed address cannot be called. */
export function noAddress(service: Service): Failure {
  const field = addressFields[service]?.title ?? 'subdomain';
  const message = `Interswitch publishes no such live address: enter the subdomain it confirmed as "${field}" in the account's settings.`;
  return failure('our_configuration', 'not_supported', message);
}

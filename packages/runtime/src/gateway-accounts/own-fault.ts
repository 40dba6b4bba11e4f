import type { Vault } from '@switchyard/db';
import type { GatewayAccount } from '@switchyard/db/client';
import { findGateway, parseCredentials } from '@switchyard/gateways';
import { allowedRange, hostProblem } from '@switchyard/gateways/addresses';
import { credentialBinding } from './credential-binding.ts';

/**
 * Why this process cannot use an account that is configured, through no fault of the merchant or the gateway: its gateway is unknown to
 * this build, its credentials were sealed with a key that the process lacks (or were changed), they hold what this build does not
 * understand, or the process must not call its address.
 */
export type OwnFault = 'gateway_unknown' | 'credentials_do_not_open' | 'credentials_not_understood' | 'address_refused';

/** Null for an account that can be used, and for one without credentials, which is the merchant's to complete. */
export type OwnFaultFinder = (account: GatewayAccount) => OwnFault | null;

/** Finds what keeps this process from using an account; each account is looked at once per loaded configuration. */
export function createOwnFaultFinder(vault: Vault): OwnFaultFinder {
  const found = new WeakMap<GatewayAccount, OwnFault | null>();
  return (account) => {
    const known = found.get(account);
    if (known !== undefined) return known;
    const fault = findOwnFault(vault, account);
    found.set(account, fault);
    return fault;
  };
}

function findOwnFault(vault: Vault, account: GatewayAccount): OwnFault | null {
  if (account.credentials === null) return null;
  const gateway = findGateway(account.gateway);
  if (gateway === null) return 'gateway_unknown';
  let text: string;
  try {
    text = vault.open(account.credentials, credentialBinding(account));
  } catch {
    return 'credentials_do_not_open';
  }
  if (!parseCredentials(gateway, readJson(text)).ok) return 'credentials_not_understood';
  const { mode, baseUrl } = account;
  const host = mode === 'test' && baseUrl !== null ? (URL.parse(baseUrl)?.hostname ?? null) : null;
  return host !== null && hostProblem(host, allowedRange(mode)) !== null ? 'address_refused' : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

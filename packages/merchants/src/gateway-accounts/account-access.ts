import type { Vault } from '@switchyard/db';
import type { GatewayAccount } from '@switchyard/db/client';
import { type AccountAccess, findGateway, type Gateway, parseCredentials } from '@switchyard/gateways';

/** An account that can be called: its gateway and the opened credentials. */
export interface ReachableAccount {
  readonly account: GatewayAccount;
  readonly gateway: Gateway;
  readonly access: AccountAccess;
}

const opened = new WeakMap<GatewayAccount, ReachableAccount | null>();

/**
 * Opens an account's credentials, once per picture of the configuration. Null when they are missing, do not open or do not
 * parse: the account is then `not_configured`.
 */
export function reachAccount(vault: Vault, account: GatewayAccount): ReachableAccount | null {
  const known = opened.get(account);
  if (known !== undefined) return known;
  const reachable = open(vault, account);
  opened.set(account, reachable);
  return reachable;
}

function open(vault: Vault, account: GatewayAccount): ReachableAccount | null {
  const gateway = findGateway(account.gateway);
  if (gateway === null || account.credentials === null) return null;
  let stored: unknown;
  try {
    stored = JSON.parse(vault.open(account.credentials, `${account.merchantId}/${account.id}`));
  } catch {
    return null;
  }
  const credentials = parseCredentials(gateway, stored);
  if (!credentials.ok) return null;
  const baseUrl = account.mode === 'test' ? account.baseUrl : null;
  return {
    account,
    gateway,
    access: { accountId: account.id, mode: account.mode, credentials: credentials.credentials, baseUrl },
  };
}

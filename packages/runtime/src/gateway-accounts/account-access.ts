import type { Vault } from '@switchyard/db';
import type { GatewayAccount } from '@switchyard/db/client';
import { type AccountAccess, findGateway, type Gateway, parseCredentials } from '@switchyard/gateways';
import { credentialBinding } from './credential-binding.ts';

/** An account that can be called: its gateway and its decrypted credentials. */
export interface OpenAccount {
  readonly account: GatewayAccount;
  readonly gateway: Gateway;
  readonly access: AccountAccess;
}

/** Null when the account's credentials are missing, do not decrypt or do not parse: it is then `not_configured`. */
export type AccountOpener = (account: GatewayAccount) => OpenAccount | null;

/** Opens accounts: decrypts and parses the credentials of each once per loaded configuration. */
export function createAccountOpener(vault: Vault): AccountOpener {
  const opened = new WeakMap<GatewayAccount, OpenAccount | null>();
  return (account) => {
    const known = opened.get(account);
    if (known !== undefined) return known;
    const open = openAccount(vault, account);
    opened.set(account, open);
    return open;
  };
}

function openAccount(vault: Vault, account: GatewayAccount): OpenAccount | null {
  const gateway = findGateway(account.gateway);
  if (gateway === null || account.credentials === null) return null;
  let stored: unknown;
  try {
    stored = JSON.parse(vault.open(account.credentials, credentialBinding(account)));
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

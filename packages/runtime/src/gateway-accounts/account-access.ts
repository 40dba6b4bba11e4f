import { UnavailableError, type Vault } from '@switchyard/db';
import type { GatewayAccount } from '@switchyard/db/client';
import { type AccountAccess, findGateway, type Gateway, parseCredentials } from '@switchyard/gateways';
import { credentialBinding } from './credential-binding.ts';
import type { OwnFaultFinder } from './own-fault.ts';

/** An account that can be called: its gateway and its decrypted credentials. */
export interface OpenAccount {
  readonly account: GatewayAccount;
  readonly gateway: Gateway;
  readonly access: AccountAccess;
}

/**
 * Opens an account. Null for one whose merchant has entered no credentials. Throws {@link UnavailableError} for one that a fault of ours
 * keeps this process from using: then nothing can be said of what its gateway knows, and another process may be able to.
 */
export type AccountOpener = (account: GatewayAccount) => OpenAccount | null;

/** Opens accounts: decrypts and parses the credentials of each once per loaded configuration. */
export function createAccountOpener(vault: Vault, ownFaultOf: OwnFaultFinder): AccountOpener {
  const opened = new WeakMap<GatewayAccount, OpenAccount | null>();
  return (account) => {
    const known = opened.get(account);
    if (known !== undefined) return known;
    const fault = ownFaultOf(account);
    // Its webhooks can be read all the same; a call answers that the address is refused.
    if (fault !== null && fault !== 'address_refused') {
      throw new UnavailableError(`This process cannot use gateway account ${account.id} (${fault}).`);
    }
    const open = openAccount(vault, account);
    opened.set(account, open);
    return open;
  };
}

function openAccount(vault: Vault, account: GatewayAccount): OpenAccount | null {
  const gateway = findGateway(account.gateway);
  if (gateway === null || account.credentials === null) return null;
  const stored: unknown = JSON.parse(vault.open(account.credentials, credentialBinding(account)));
  const credentials = parseCredentials(gateway, stored);
  if (!credentials.ok) return null;
  const baseUrl = account.mode === 'test' ? account.baseUrl : null;
  return {
    account,
    gateway,
    access: { accountId: account.id, mode: account.mode, credentials: credentials.credentials, baseUrl },
  };
}

import { UnavailableError, type Vault } from '@switchyard/db';
import type { GatewayAccount } from '@switchyard/db/client';
import { type AccountAccess, findGateway, type Gateway, parseCredentials } from '@switchyard/gateways';
import { credentialBinding } from './credential-binding.ts';
import type { OwnFault, OwnFaultFinder } from './own-fault.ts';

/** An account that can be called: its gateway and its decrypted credentials. */
export interface OpenAccount {
  readonly account: GatewayAccount;
  readonly gateway: Gateway;
  readonly access: AccountAccess;
}

/**
 * Opens an account. Null for one whose merchant has entered no credentials. Throws {@link UnusableAccountError} for one that a fault of ours
 * keeps this process from using: then nothing can be said of what its gateway knows, and another process may be able to.
 */
export type AccountOpener = (account: GatewayAccount) => OpenAccount | null;

/** A configured account that this process cannot use. Names the account and the fault, never a secret. */
export class UnusableAccountError extends UnavailableError {
  override readonly name = 'UnusableAccountError';
  readonly fault: OwnFault;

  constructor(accountId: string, fault: OwnFault) {
    super(`This process cannot use gateway account ${accountId} (${fault}).`);
    this.fault = fault;
  }
}

/** Opens accounts: decrypts and parses the credentials of each once per loaded configuration. */
export function createAccountOpener(vault: Vault, ownFaultOf: OwnFaultFinder): AccountOpener {
  const opened = new WeakMap<GatewayAccount, OpenAccount | null>();
  return (account) => {
    const known = opened.get(account);
    if (known !== undefined) return known;
    const fault = ownFaultOf(account);
    // Its webhooks can be read all the same; a call answers that the address is refused.
    if (fault !== null && fault !== 'address_refused') throw new UnusableAccountError(account.id, fault);
    const open = openAccount(vault, account);
    opened.set(account, open);
    return open;
  };
}

/** The account, or null where it cannot be used, whatever the reason. For choosing among accounts, never for saying what one knows. */
export function openIfUsable(openAccount: AccountOpener, account: GatewayAccount): OpenAccount | null {
  try {
    return openAccount(account);
  } catch (error) {
    if (error instanceof UnusableAccountError) return null;
    throw error;
  }
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

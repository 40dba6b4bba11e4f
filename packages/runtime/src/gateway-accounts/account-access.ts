import { UnavailableError, type Vault } from '@switchyard/db';
import type { GatewayAccount } from '@switchyard/db/client';
import { type AccountAccess, findGateway, type Gateway, parseCredentials } from '@switchyard/gateways';
import { allowedRange, hostProblem } from '@switchyard/gateways/addresses';

/** Binds sealed credentials to the account's row: copied to another row, they do not open. */
export function credentialBinding(account: { merchantId: string; id: string }): string {
  return `${account.merchantId}/${account.id}`;
}

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

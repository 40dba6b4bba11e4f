import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Database, OwnFaultError } from '@switchyard/db';
import type { MerchantConfiguration } from '../configuration/configuration.ts';
import type { OwnFaultFinder } from '../gateway-accounts/account-access.ts';

/** A secret of the environment that is not the one which the data was made with. */
export type WrongSecret = 'encryption_keys' | 'key_pepper';

/** State of a process's own secrets. */
export interface SecretsState {
  readonly wrong: readonly WrongSecret[];
  /** Enabled gateway accounts whose stored credentials this process cannot use. */
  readonly unreadableAccounts: number;
}

/**
 * Checks the secrets of a process against what is stored. The encryption keys are wrong when there are credentials of enabled accounts and
 * none of them opens; a few that do not open are counted, and no reason to take the process away from all other merchants. The pepper is
 * wrong when it differs from the one that a key was authenticated with before: the first success of any process stores a keyed check
 * value, so that a wrong pepper can never be stored as the right one.
 */
export interface Secrets {
  /** Looks through a merchant's accounts; called for each configuration that is loaded. */
  inspect(configuration: MerchantConfiguration): void;
  /** Compares again what was not right before. Each fault that begins is reported once. */
  check(): Promise<void>;
  state(): SecretsState;
  /** Records that a key was authenticated, and so that the pepper is right. Costs nothing once that is known. */
  provePepper(): void;
}

/** Dependencies of {@link openSecrets}. */
export interface SecretsOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly keyPepper: KeyObject;
  readonly ownFaultOf: OwnFaultFinder;
  /** True once every merchant's configuration was inspected. */
  readonly isLoaded: () => boolean;
  readonly onError: (error: unknown, doing: string) => void;
}

const PEPPER = 'key_pepper';
const READ = 'SELECT value FROM secret_check WHERE name = $1';
const STORE = 'INSERT INTO secret_check (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
const CHECKING = 'checking the secrets of this process';

const REPORTS = {
  encryption_keys:
    'SWITCHYARD_ENCRYPTION_KEYS is wrong: no stored credentials of a gateway account open with it. This process is not ready.',
  key_pepper: 'SWITCHYARD_KEY_PEPPER is wrong: keys were authenticated with another one. This process is not ready.',
  accounts:
    'Stored credentials of gateway accounts cannot be used by this process; payments are refused where only they could take them.',
} as const;

/** Opens the check of a process's secrets. */
export function openSecrets({ database, keyPepper, ownFaultOf, isLoaded, onError }: SecretsOptions): Secrets {
  const expected = createHmac('sha256', keyPepper).update('switchyard: check of the pepper').digest();
  const byMerchant = new Map<string, { readonly stored: number; readonly unreadable: number; readonly sealed: number }>();
  const reported = new Set<string>();
  let pepper: 'right' | 'wrong' | 'unproven' = 'unproven';
  let isProving = false;

  function count(): { stored: number; unreadable: number; sealed: number } {
    const sum = { stored: 0, unreadable: 0, sealed: 0 };
    for (const one of byMerchant.values()) {
      sum.stored += one.stored;
      sum.unreadable += one.unreadable;
      sum.sealed += one.sealed;
    }
    return sum;
  }

  function state(): SecretsState {
    const { stored, unreadable, sealed } = count();
    const wrong: WrongSecret[] = [];
    if (isLoaded() && stored > 0 && sealed === stored) wrong.push('encryption_keys');
    if (pepper === 'wrong') wrong.push('key_pepper');
    return { wrong, unreadableAccounts: unreadable };
  }

  function report(): void {
    const { wrong, unreadableAccounts } = state();
    const faults: (keyof typeof REPORTS)[] = [...wrong, ...(unreadableAccounts > 0 ? (['accounts'] as const) : [])];
    for (const fault of faults) if (!reported.has(fault)) onError(new OwnFaultError(REPORTS[fault]), CHECKING);
    reported.clear();
    for (const fault of faults) reported.add(fault);
  }

  async function check(): Promise<void> {
    if (pepper !== 'right') {
      const { rows } = await database.pool.query<{ value: Buffer }>({ name: 'read-secret-check', text: READ, values: [PEPPER] });
      const known = rows[0]?.value;
      if (known === undefined) pepper = 'unproven';
      else pepper = known.length === expected.length && timingSafeEqual(known, expected) ? 'right' : 'wrong';
    }
    report();
  }

  return {
    inspect({ merchant, accounts }) {
      const stored = accounts.filter(({ enabled, credentials }) => enabled && credentials !== null);
      const faults = stored.map(ownFaultOf).filter((fault) => fault !== null && fault !== 'address_refused');
      const sealed = faults.filter((fault) => fault === 'credentials_do_not_open').length;
      byMerchant.set(merchant.id, { stored: stored.length, unreadable: faults.length, sealed });
      if (isLoaded()) report();
    },
    check,
    state,
    provePepper() {
      if (pepper !== 'unproven' || isProving) return;
      isProving = true;
      database.pool
        .query({ name: 'store-secret-check', text: STORE, values: [PEPPER, expected] })
        .then(check)
        .catch((error: unknown) => onError(error, CHECKING))
        .finally(() => {
          isProving = false;
        });
    },
  };
}

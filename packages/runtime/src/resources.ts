import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Database, Reports, Vault } from '@switchyard/db';
import { type AuditKeys, openAuditKeys } from '@switchyard/db/audit';
import { openDatabase, openReports, openVault } from '@switchyard/db/process';
import { type Configuration, openConfiguration } from './configuration/configuration.ts';
import {
  type AccountOpener,
  createAccountOpener,
  createOwnFaultFinder,
  type OwnFaultFinder,
} from './gateway-accounts/account-access.ts';
import { openSecrets, type Secrets } from './secrets/secrets.ts';
import { type Environment, readSettings, SETTINGS } from './settings/settings.ts';

/** Dependencies of use cases: of the process's open resources those that are named, or all; the clock and new ids. */
export interface RuntimeContext<Needed extends keyof Resources = keyof Resources> {
  readonly resources: Pick<Resources, Needed>;
  readonly now: () => Date;
  readonly newId: () => string;
}

const RESOURCE_SETTINGS = SETTINGS.pick({
  DATABASE_URL: true,
  SWITCHYARD_REPLICA_URL: true,
  SWITCHYARD_ENCRYPTION_KEYS: true,
  SWITCHYARD_AUDIT_KEYS: true,
  SWITCHYARD_KEY_PEPPER: true,
  SWITCHYARD_PUBLIC_URL: true,
  // Read by `allowedRange` at each call.
  SWITCHYARD_PRIVATE_ADDRESSES: true,
  SWITCHYARD_LOOKUPS_PER_SECOND: true,
  SWITCHYARD_LOOKUPS_AT_ONCE: true,
});

/** The connections, secrets and in-memory configuration of a process. Opened once per process. */
export interface Resources {
  readonly database: Database;
  /** Opened on first use: only the reporting process reads from it. */
  readonly reports: Reports;
  readonly configuration: Configuration;
  readonly vault: Vault;
  /** Keys that the hashes of the audit log are made with. */
  readonly auditKeys: AuditKeys;
  readonly openAccount: AccountOpener;
  /** Finds the fault that keeps this process from using a configured account. */
  readonly ownFaultOf: OwnFaultFinder;
  /** Check that the secrets of this process are those that the stored data was made with. */
  readonly secrets: Secrets;
  /** Key of the keyed hash under which merchants' secrets are stored. */
  readonly keyPepper: KeyObject;
  /** Public base URL, as customers and gateways reach it, without a trailing slash. */
  readonly publicUrl: string;
  /** Rate of one process's scheduled lookups at each gateway account. */
  readonly lookupLimits: { readonly perSecond: number; readonly atOnce: number };
  close(): Promise<void>;
}

/**
 * Reads the environment and opens the resources. Queries wait for a connection as long as payments and reports may, unless another time is
 * given, in milliseconds. Throws `EnvironmentError` naming every variable that is wrong.
 */
export function openResources(
  environment: Environment,
  onError: (error: unknown, doing: string) => void,
  connecting: { readonly acquireTimeoutMs?: number } = {},
): Resources {
  const settings = readSettings(RESOURCE_SETTINGS, environment);
  const database = openDatabase({
    url: settings.DATABASE_URL,
    ...connecting,
    onIdleError: (error) => onError(error, 'keeping an idle connection open'),
  });
  let reports: Reports | undefined;
  const vault = openVault(settings.SWITCHYARD_ENCRYPTION_KEYS);
  const keyPepper = createSecretKey(settings.SWITCHYARD_KEY_PEPPER, 'base64');
  const ownFaultOf = createOwnFaultFinder(vault);
  const isLoaded = () => configuration.readAt() !== null;
  const secrets = openSecrets({ database, keyPepper, ownFaultOf, isLoaded, onError });
  const configuration = openConfiguration(database, {
    onError: (error) => onError(error, 'reading configuration'),
    onLoaded: secrets.inspect,
  });
  return {
    database,
    get reports() {
      reports ??= openReports({
        url: settings.SWITCHYARD_REPLICA_URL ?? settings.DATABASE_URL,
        ...connecting,
        onIdleError: (error) => onError(error, 'keeping an idle connection for reports open'),
      });
      return reports;
    },
    configuration,
    vault,
    auditKeys: openAuditKeys({
      auditKeys: settings.SWITCHYARD_AUDIT_KEYS,
      encryptionKeys: settings.SWITCHYARD_ENCRYPTION_KEYS,
    }),
    openAccount: createAccountOpener(vault, ownFaultOf),
    ownFaultOf,
    secrets,
    keyPepper,
    publicUrl: settings.SWITCHYARD_PUBLIC_URL.replace(/\/+$/, ''),
    lookupLimits: { perSecond: settings.SWITCHYARD_LOOKUPS_PER_SECOND, atOnce: settings.SWITCHYARD_LOOKUPS_AT_ONCE },
    async close() {
      configuration.close();
      await reports?.close();
      await database.close();
    },
  };
}

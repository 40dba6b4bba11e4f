import { type AuditKeys, type Database, openAuditKeys, type Reports, type Vault } from '@switchyard/db';
import { openDatabase, openReports, openVault } from '@switchyard/db/process';
import { PRIVATE_ADDRESSES_VARIABLE } from '@switchyard/gateways/addresses';
import { z } from 'zod';
import { type Configuration, openConfiguration } from './configuration/configuration.ts';
import { type AccountOpener, createAccountOpener } from './gateway-accounts/account-access.ts';
import { createOwnFaultFinder, type OwnFaultFinder } from './gateway-accounts/own-fault.ts';
import { openSecrets, type Secrets } from './secrets/secrets.ts';

const base64Key = z.string().refine((text) => Buffer.from(text, 'base64').length >= 32, 'must be base64 of at least 32 bytes');

const databaseUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// address');

const environmentSchema = z.object({
  DATABASE_URL: databaseUrl,
  /** A streaming replica for reports; empty counts as not set. */
  SWITCHYARD_REPLICA_URL: z.union([z.literal('').transform(() => undefined), databaseUrl.optional()]),
  SWITCHYARD_ENCRYPTION_KEYS: z.string().min(1, 'must hold at least one key'),
  /** Keys of the audit log's hashes, as a ring of their own; empty counts as not set. */
  SWITCHYARD_AUDIT_KEYS: z.string().optional(),
  SWITCHYARD_KEY_PEPPER: base64Key,
  SWITCHYARD_PUBLIC_URL: z.url({ protocol: /^https?$/ }),
  /** Read by `allowedRange` at each call. */
  [PRIVATE_ADDRESSES_VARIABLE]: z.literal(['', 'allow'], 'must be allow or empty').optional(),
  SWITCHYARD_LOOKUPS_PER_SECOND: z.coerce.number().min(0.1).max(10_000).default(20),
  SWITCHYARD_LOOKUPS_AT_ONCE: z.coerce.number().int().min(1).max(1_000).default(10),
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
  readonly keyPepper: Buffer;
  /** Public base URL, as customers and gateways reach it, without a trailing slash. */
  readonly publicUrl: string;
  /** Rate of one process's scheduled lookups at each gateway account. */
  readonly lookupLimits: { readonly perSecond: number; readonly atOnce: number };
  close(): Promise<void>;
}

/** An environment variable is missing or invalid; the message names each one. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/**
 * Reads the environment and opens the resources. Queries wait for a connection as long as payments may, unless told otherwise, in
 * milliseconds. Throws {@link EnvironmentError} naming every variable that is wrong.
 */
export function openResources(
  environment: Readonly<Record<string, string | undefined>>,
  onError: (error: unknown, doing: string) => void,
  connecting: { readonly acquireTimeoutMs?: number } = {},
): Resources {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    throw new EnvironmentError(parsed.error.issues.map(describeIssue).join('; '));
  }
  const settings = parsed.data;
  const database = openDatabase({
    url: settings.DATABASE_URL,
    ...connecting,
    onIdleError: (error) => onError(error, 'keeping an idle connection open'),
  });
  let reports: Reports | undefined;
  const vault = openVault(settings.SWITCHYARD_ENCRYPTION_KEYS);
  const keyPepper = Buffer.from(settings.SWITCHYARD_KEY_PEPPER, 'base64');
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
    openAccount: createAccountOpener(vault),
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

function describeIssue({ code, path, message }: z.core.$ZodIssue): string {
  return `${path.join('.')} ${code === 'invalid_type' ? 'is not set' : message}`;
}

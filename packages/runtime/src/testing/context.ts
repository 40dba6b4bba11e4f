import { createSecretKey, randomBytes } from 'node:crypto';
import { newId } from '@switchyard/db';
import { openAuditKeys } from '@switchyard/db/audit-keys';
import { openReports, openVault } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { openConfiguration } from '../configuration/configuration.ts';
import type { RuntimeContext } from '../context.ts';
import { createAccountOpener } from '../gateway-accounts/account-access.ts';
import { createOwnFaultFinder } from '../gateway-accounts/own-fault.ts';
import { openSecrets } from '../secrets/secrets.ts';

export interface TestContext extends RuntimeContext {
  readonly database: TestDatabase;
  /** Sets the clock behind `now`; null for the machine's own. */
  setClock(time: Date | null): void;
  close(): Promise<void>;
}

/** A context on a database of its own. */
export async function openTestContext(): Promise<TestContext> {
  const database = await createTestDatabase();
  const reports = openReports({ url: database.url, onIdleError: () => undefined });
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`;
  const vault = openVault(encryptionKeys);
  const keyPepper = createSecretKey(randomBytes(32));
  const ownFaultOf = createOwnFaultFinder(vault);
  const isLoaded = () => configuration.readAt() !== null;
  const secrets = openSecrets({ database, keyPepper, ownFaultOf, isLoaded, onError: () => undefined });
  const configuration = openConfiguration(database, { onError: () => undefined, hints: 'none', onLoaded: secrets.inspect });
  let clock: Date | null = null;
  return {
    database,
    resources: {
      database,
      reports,
      configuration,
      vault,
      auditKeys: openAuditKeys({ auditKeys: undefined, encryptionKeys }),
      openAccount: createAccountOpener(vault, ownFaultOf),
      ownFaultOf,
      secrets,
      keyPepper,
      publicUrl: 'http://127.0.0.1:3000',
      lookupLimits: { perSecond: 1_000, atOnce: 100 },
      close: async () => undefined,
    },
    now: () => clock ?? new Date(),
    newId,
    setClock(time) {
      clock = time;
    },
    async close() {
      configuration.close();
      await reports.close();
      await database.close();
    },
  };
}

/** Creates a staff user without roles. Returns their id. */
export async function testStaff(context: RuntimeContext, id = context.newId()): Promise<string> {
  const now = context.now();
  const data = { id, name: 'Ada', email: `${id}@example.com`, createdAt: now, updatedAt: now };
  await context.resources.database.prisma.staffUser.create({ data });
  return id;
}

import { openAuditKeys } from '@switchyard/db/audit';
import { openDatabase, openVault } from '@switchyard/db/process';
import { rotateKeys } from '@switchyard/privacy/rotate-keys';
import { Problem } from '../bootstrap/problem.mjs';
import { resolveDatabase } from '../stack/database.ts';
import { thisProject } from '../stack/project.ts';

/**
 * `keys rotate`: seals everything that is encrypted in the database with the first key, while Switchyard runs. Can be interrupted and repeated.
 * Resolves with 0 when every value is sealed with the first key (in a dry run: when it could be), 1 when a key is missing or a value does
 * not open.
 */
export async function rotate(values: { 'dry-run': boolean }): Promise<number> {
  const { SWITCHYARD_ENCRYPTION_KEYS: encryptionKeys, SWITCHYARD_AUDIT_KEYS: auditKeyRing } = process.env;
  if (!encryptionKeys) throw new Problem('SWITCHYARD_ENCRYPTION_KEYS is not set.', ['Set it as the running processes have it.']);
  const vault = openVault(encryptionKeys);
  const auditKeys = openAuditKeys({ auditKeys: auditKeyRing, encryptionKeys });
  const database = openDatabase({ url: await resolveDatabase(thisProject()), maxConnections: 4 });
  try {
    return (await rotateKeys(
      { database, vault, auditKeys, now: () => new Date(), print: console.log },
      { dryRun: values['dry-run'] },
    ))
      ? 0
      : 1;
  } finally {
    await database.close();
  }
}

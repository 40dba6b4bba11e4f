/**
 * Seals everything that is encrypted in the database with the first key of `SWITCHYARD_ENCRYPTION_KEYS`, while Switchyard runs. Can be
 * interrupted and repeated. The database is that of `DATABASE_URL`, else that of the running stack, else the embedded one.
 *
 *   npm run keys:rotate                  counts, seals again, and says which keys can be removed
 *   npm run keys:rotate -- --dry-run     only counts
 *
 * Exits with 0 when every value is sealed with the first key (with --dry-run: when it could be), 1 when a key is missing or a value
 * does not open, 2 when the command could not run.
 */
import { openAuditKeys } from '@switchyard/db/audit-keys';
import { openDatabase, openVault } from '@switchyard/db/process';
import { rotateKeys } from '@switchyard/privacy/commands';
import { Problem } from './bootstrap/problem.mjs';
import { readOptions, runCommand } from './stack/command.ts';
import { resolveDatabase } from './stack/database.ts';
import { thisProject } from './stack/project.ts';

const USAGE = 'usage: npm run keys:rotate [-- --dry-run]';
const hint = 'Nothing that was sealed already has to be done again: run it once more.';

await runCommand(
  async () => {
    const options = { 'dry-run': { type: 'boolean', default: false } } as const;
    const dryRun = readOptions(USAGE, { options }).values['dry-run'];
    const { SWITCHYARD_ENCRYPTION_KEYS: encryptionKeys, SWITCHYARD_AUDIT_KEYS: auditKeyRing } = process.env;
    if (!encryptionKeys)
      throw new Problem('SWITCHYARD_ENCRYPTION_KEYS is not set.', ['Set it as the running processes have it.']);
    const vault = openVault(encryptionKeys);
    const auditKeys = openAuditKeys({ auditKeys: auditKeyRing, encryptionKeys });
    const database = openDatabase({ url: await resolveDatabase(thisProject()), maxConnections: 4 });
    try {
      return (await rotateKeys({ database, vault, auditKeys, now: () => new Date(), print: console.log }, { dryRun })) ? 0 : 1;
    } finally {
      await database.close();
    }
  },
  { hint },
);

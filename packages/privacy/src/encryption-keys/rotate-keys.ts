import { sealedTargets } from '@switchyard/alerts/channels';
import { type Database, type JsonValue, NIL_ID, newId, type SealedRows, type Vault } from '@switchyard/db';
import { type AuditKeys, appendAuditEntry } from '@switchyard/db/audit';
import { countByKey, resealRows } from '@switchyard/db/process';
import { sealedCredentials } from '@switchyard/merchants/gateway-accounts';
import { sealedPayers } from '@switchyard/payments/customers';
import { countByEncryptionKey } from '@switchyard/staff/audit-log';
import { sealedClientSecrets } from '@switchyard/staff/single-sign-on';
import { sealedEndpointSecrets } from '@switchyard/webhooks/endpoints';

/** Every table with sealed values. */
export const ALL_SEALED_ROWS: readonly SealedRows[] = [
  sealedCredentials,
  sealedEndpointSecrets,
  sealedTargets,
  sealedPayers,
  sealedClientSecrets,
];

/** Dependencies of a rotation. */
export interface RotationContext {
  readonly database: Database;
  readonly vault: Vault;
  readonly auditKeys: AuditKeys;
  readonly now: () => Date;
  readonly print: (line: string) => void;
}

const ACTOR = 'system:keys-rotate';
/** Broken rows are named in the output, this many of each table. */
const SHOWN = 20;

/**
 * Seals all values again with the first key of the ring, and prints what is sealed with which key before and after. A dry run only
 * counts. Refuses, and changes nothing, when values need a key that is not in the ring. Returns whether nothing is left to do.
 */
export async function rotateKeys(context: RotationContext, { dryRun }: { readonly dryRun: boolean }): Promise<boolean> {
  const { vault, print } = context;
  const [first] = vault.keyIds;
  const before = await countAll(context);
  printCounts(context, before);
  const missing = [...before.keys()].filter((keyId) => !vault.keyIds.includes(keyId));
  if (missing.length > 0) {
    print(`Refused: SWITCHYARD_ENCRYPTION_KEYS lacks ${missing.join(', ')}. Nothing was changed.`);
    return false;
  }
  const stale = sum(before) - (before.get(first ?? '') ?? 0);
  if (dryRun) {
    print(`Dry run: ${stale} values would be sealed again with ${first}.`);
    return true;
  }
  if (stale === 0) {
    print(`Every value is sealed with ${first}.`);
    await printRemovable(context, before);
    return true;
  }
  await audit(context, 'encryption_keys.rotation_started', null, Object.fromEntries(before));
  let broken = 0;
  for (const rows of ALL_SEALED_ROWS) {
    const started = performance.now();
    const result = await resealRows(context.database.pool, vault, rows);
    print(`${rows.name}: ${result.resealed} rows sealed again in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    for (const { merchantId, id } of result.broken.slice(0, SHOWN)) print(`  does not open: ${id} of merchant ${merchantId}`);
    broken += result.broken.length;
  }
  const after = await countAll(context);
  await audit(context, 'encryption_keys.rotated', Object.fromEntries(before), Object.fromEntries(after));
  printCounts(context, after);
  await printRemovable(context, after);
  if (broken > 0) print(`${broken} rows do not open with their key and stay as they are: enter those secrets again.`);
  return broken === 0 && sum(after) === (after.get(first ?? '') ?? 0);
}

async function countAll({ database, vault }: RotationContext): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const rows of ALL_SEALED_ROWS) {
    for (const [keyId, count] of await countByKey(database.pool, vault, rows)) {
      counts.set(keyId, (counts.get(keyId) ?? 0) + count);
    }
  }
  return counts;
}

function printCounts({ vault, print }: RotationContext, counts: ReadonlyMap<string, number>): void {
  for (const keyId of new Set([...vault.keyIds, ...counts.keys()])) {
    print(`  ${keyId.padEnd(32)} ${String(counts.get(keyId) ?? 0).padStart(8)} values`);
  }
}

/** Says which older keys nothing needs any more. The audit log's entries are never written again: they keep the key they have. */
async function printRemovable({ database, vault, print }: RotationContext, counts: ReadonlyMap<string, number>): Promise<void> {
  const [, ...older] = vault.keyIds;
  const entries = await countByEncryptionKey(database);
  for (const keyId of older.filter((each) => !counts.has(each))) {
    const verified = entries.get(keyId);
    print(
      verified === undefined
        ? `Nothing needs ${keyId}. Once every process writes with the first key, remove it; keep it beside backups from before.`
        : `No value needs ${keyId}, but ${verified} entries of the audit log are verified with it: keep it in the ring.`,
    );
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

async function audit({ database, vault, auditKeys, now }: RotationContext, action: string, before: JsonValue, after: JsonValue) {
  const [objectId = ''] = vault.keyIds;
  const about = { tenantId: NIL_ID, entryId: newId(), actor: ACTOR, objectType: 'encryption_key', objectId };
  await database.prisma.$transaction((transaction) =>
    appendAuditEntry(transaction, auditKeys, { ...about, action, before, after }, now()),
  );
}

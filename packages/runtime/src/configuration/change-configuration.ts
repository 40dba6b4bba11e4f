import { type Database, isUuid } from '@switchyard/db';
import { type AuditKeys, appendAuditEntry, type NewAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import { type Configuration, readRevision } from './configuration.ts';

/** Result of a change. `audit` null means that nothing was written. */
export interface Change<Outcome> {
  readonly outcome: Outcome;
  readonly audit: Pick<NewAuditEntry, 'action' | 'objectType' | 'objectId' | 'before' | 'after'> | null;
  /** False for changes that do not affect routing yet, such as a draft: no process has to reload. */
  readonly inForce?: boolean;
}

/** Dependencies of use cases that change a merchant's configuration. */
export interface ChangeContext {
  readonly resources: { readonly auditKeys: AuditKeys; readonly configuration: Configuration; readonly database: Database };
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The merchant whose configuration is changed, and the author: `staff:<id>`, `system:<what>`. */
export interface ChangeAuthor {
  readonly merchantId: string;
  readonly actor: string;
}

/** Ten thousand rules take about a second to compare and write, and changes of one merchant wait for each other. */
const TRANSACTION_TIMEOUT_MS = 20_000;

/**
 * Changes a merchant's configuration in one transaction: what `change` writes, the audit row and the incremented revision commit
 * together or not at all. Changes of one merchant happen one after the other. When it returns, this process serves the new
 * configuration. A change that is not `inForce` is audited too, but does not increment the revision.
 */
export async function changeConfiguration<Outcome>(
  context: ChangeContext,
  author: ChangeAuthor,
  change: (transaction: Prisma.TransactionClient, now: Date) => Promise<Change<Outcome>>,
): Promise<Outcome | { readonly kind: 'not_found' }> {
  const changed = await context.resources.database.prisma.$transaction(
    async (transaction) => {
      if (!(await lockConfiguration(transaction, author.merchantId))) return null;
      const now = context.now();
      const { outcome, audit, inForce = true } = await change(transaction, now);
      if (audit === null) return { outcome, revision: null };
      if (inForce) return { outcome, revision: await recordChange(context, transaction, author, audit, now) };
      await appendAuditEntry(transaction, context.resources.auditKeys, auditEntry(context, author, audit), now);
      return { outcome, revision: null };
    },
    { timeout: TRANSACTION_TIMEOUT_MS },
  );
  if (changed === null) return { kind: 'not_found' };
  if (changed.revision !== null) await readRevision(context.resources.configuration, author.merchantId, changed.revision);
  return changed.outcome;
}

/** Increments the revision and writes the audit row of a change made in `transaction`. Returns the revision. */
export async function recordChange(
  context: ChangeContext,
  transaction: Prisma.TransactionClient,
  author: ChangeAuthor,
  audit: NonNullable<Change<unknown>['audit']>,
  now: Date,
): Promise<number> {
  const revision = await raiseConfigurationRevision(transaction, author.merchantId);
  await appendAuditEntry(transaction, context.resources.auditKeys, auditEntry(context, author, audit), now);
  return revision;
}

function auditEntry(
  context: ChangeContext,
  { merchantId, actor }: ChangeAuthor,
  audit: NonNullable<Change<unknown>['audit']>,
): NewAuditEntry {
  return { ...audit, tenantId: merchantId, entryId: context.newId(), actor };
}

/**
 * Locks a merchant's configuration for writing until the transaction ends: changes of one merchant happen one after the other.
 * False when there is no such merchant.
 */
export async function lockConfiguration(transaction: Prisma.TransactionClient, merchantId: string): Promise<boolean> {
  if (!isUuid(merchantId)) return false;
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT revision FROM configuration_revision WHERE merchant_id = ${merchantId}::uuid FOR UPDATE`;
  return rows.length === 1;
}

/** Increments the merchant's revision and notifies listening processes at commit. Returns the new revision. */
export async function raiseConfigurationRevision(transaction: Prisma.TransactionClient, merchantId: string): Promise<number> {
  const { revision } = await transaction.configurationRevision.upsert({
    where: { merchantId },
    create: { merchantId, revision: 1 },
    update: { revision: { increment: 1 } },
  });
  await transaction.$executeRaw`SELECT pg_notify('configuration', ${merchantId})`;
  return revision;
}

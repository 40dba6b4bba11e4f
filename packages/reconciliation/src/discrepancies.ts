import type { Database } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import { type DiscrepancyKind, type Mode, Prisma } from '@switchyard/db/client';
import { auditDiscrepancy } from './audit.ts';
import type { ReconciliationContext } from './context.ts';
import { lockDiscrepancy, readDiscrepancyAmount } from './discrepancies-queries.ts';
import {
  ALREADY_CLOSED,
  type BulkResult,
  changeEach,
  changesOf,
  type DiscrepancyCommand,
  type DiscrepancyOutcome,
  type Resolution,
} from './discrepancy-changes.ts';

export type { DiscrepancyFilter } from './discrepancy-noun.ts';
export {
  countAllDiscrepancies,
  countDiscrepanciesByAge,
  findDiscrepancy,
  listDiscrepancies,
  listRuns,
  listTotals,
} from './list-reconciliation.ts';

/** Open discrepancies of one merchant, mode and kind. */
interface OpenDiscrepancies {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly kind: DiscrepancyKind;
  readonly count: number;
  /** When the first of them was found. */
  readonly oldestAt: Date;
}

const COUNT = `
SELECT merchant_id AS "merchantId", mode, kind::text AS kind, count(*)::int AS count, min(created_at) AS "oldestAt"
FROM reconciliation_discrepancy WHERE state = 'OPEN' AND ($1::uuid[] IS NULL OR merchant_id = ANY ($1))
GROUP BY merchant_id, mode, kind`;

/** Open discrepancies of these merchants, all with null, counted. */
export async function countOpenDiscrepancies(
  database: Database,
  merchantIds: readonly string[] | null,
): Promise<OpenDiscrepancies[]> {
  const query = { name: 'count-open-discrepancies', text: COUNT, values: [merchantIds] };
  const { rows } = await database.pool.query<OpenDiscrepancies>(query);
  return rows;
}

const changes = changesOf({
  actions: 'reconciliation',
  lock: lockDiscrepancy,
  update: (transaction, { merchantId, id }, data) =>
    transaction.reconciliationDiscrepancy.update({ where: { merchantId_id: { merchantId, id } }, data }),
  audit: auditDiscrepancy,
});

export const {
  note: addDiscrepancyNote,
  assign: assignDiscrepancy,
  resolve: resolveDiscrepancy,
  resolveOpen: resolveOpenDiscrepancy,
  reopen: reopenDiscrepancy,
} = changes;

/**
 * Accepts an amount that differs by no more than the merchant's tolerance: closes the discrepancy as explained, with the reason and
 * the tolerance. Payments, refunds and the ledger stay as they are.
 */
export function acceptDiscrepancy(
  context: ReconciliationContext,
  command: DiscrepancyCommand & { readonly why: string },
): Promise<DiscrepancyOutcome> {
  return changes.close(context, command, 'accepted', async (before, why, now, transaction) => {
    if (before.state !== 'OPEN') return { refused: ALREADY_CLOSED };
    if (before.kind !== 'AMOUNT') return { refused: 'Only a different amount can be accepted within a tolerance.' };
    const tolerance = await lockTolerance(transaction, before.merchantId);
    const amount = await readDiscrepancyAmount(transaction, before);
    if (exceeds(amount, tolerance)) return { refused: `A difference of ${amount} exceeds the tolerance of ${tolerance}.` };
    const resolution = `Difference of ${amount} accepted within the tolerance of ${tolerance}: ${why}`;
    return { state: 'EXPLAINED', resolvedBy: command.actor, resolvedAt: now, resolution };
  });
}

/** A change of several discrepancies. */
type BulkChange =
  | { readonly kind: 'assign'; readonly ownerId: string | null }
  | ({ readonly kind: 'resolve' } & Resolution)
  /** Only amounts that differ by no more than the merchant's tolerance. */
  | { readonly kind: 'accept'; readonly why: string };

/** Changes several discrepancies, those that are open alone where they are closed, as {@link changeEach} does. */
export function changeDiscrepancies(
  context: ReconciliationContext,
  { change, ...of }: Parameters<typeof changeEach>[1] & { readonly change: BulkChange },
): Promise<BulkResult[]> {
  return changeEach(context, of, (command) => {
    switch (change.kind) {
      case 'assign':
        return assignDiscrepancy(context, { ...command, ownerId: change.ownerId });
      case 'resolve':
        return resolveOpenDiscrepancy(context, { ...command, as: change.as, why: change.why });
      case 'accept':
        return acceptDiscrepancy(context, { ...command, why: change.why });
      default:
        return change satisfies never;
    }
  });
}

/** The largest tolerance, in main units. */
export const TOLERANCE_MAX = 1_000_000;

/** A merchant's tolerance: staff may accept amounts that differ by no more than it, several at once. Nothing is accepted by itself. */
interface MerchantTolerance {
  readonly merchantId: string;
  /** Exact decimal of the main unit; `0` where none is set. */
  readonly tolerance: string;
  /** Null where it was never set. */
  readonly updatedAt: Date | null;
}

/** The tolerances of these merchants. */
export async function listTolerances(
  { resources }: ReconciliationContext,
  merchantIds: readonly string[],
): Promise<MerchantTolerance[]> {
  const { prisma } = resources.database;
  const rows = await prisma.reconciliationSetting.findMany({ where: { merchantId: { in: [...merchantIds] } } });
  const known = new Map(rows.map((row) => [row.merchantId, row]));
  return merchantIds.map((merchantId) => {
    const row = known.get(merchantId);
    return { merchantId, tolerance: row?.tolerance.toFixed() ?? '0', updatedAt: row?.updatedAt ?? null };
  });
}

/** Sets a merchant's tolerance, `0` for none. Discrepancies that are already closed stay closed. */
export async function changeTolerance(
  context: ReconciliationContext,
  { merchantId, tolerance, actor }: { readonly merchantId: string; readonly tolerance: string; readonly actor: string },
): Promise<{ readonly kind: 'changed' | 'unchanged' }> {
  const { database, auditKeys } = context.resources;
  return database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const before = await lockTolerance(transaction, merchantId);
    if (new Prisma.Decimal(before).equals(tolerance)) return { kind: 'unchanged' };
    const data = { tolerance, updatedAt: now };
    await transaction.reconciliationSetting.upsert({ where: { merchantId }, create: { merchantId, ...data }, update: data });
    const entry = {
      tenantId: merchantId,
      entryId: context.newId(),
      actor,
      action: 'reconciliation.tolerance_changed',
      objectType: 'merchant',
      objectId: merchantId,
      before: { tolerance: before },
      after: { tolerance },
    };
    await appendAuditEntry(transaction, auditKeys, entry, now);
    return { kind: 'changed' };
  });
}

/** A merchant's tolerance, locked until the transaction ends. */
async function lockTolerance(transaction: Prisma.TransactionClient, merchantId: string): Promise<string> {
  const [row] = await transaction.$queryRaw<{ tolerance: string }[]>`
    SELECT trim_scale(tolerance)::text AS tolerance FROM reconciliation_setting WHERE merchant_id = ${merchantId}::uuid FOR UPDATE`;
  return row?.tolerance ?? '0';
}

/** True if an amount is larger than a tolerance; exact decimals of the same unit. */
function exceeds(amount: string, tolerance: string): boolean {
  return new Prisma.Decimal(amount).greaterThan(tolerance);
}

import type { Database } from '@switchyard/db';
import type { Dispute, Mode } from '@switchyard/db/client';
import { selectTimePage, type TimeKey } from '@switchyard/db/lists';
import { listOf } from '@switchyard/nouns';
import { type DisputeResource, disputeResource } from '@switchyard/payments/reversals';
import { type DisputeFilter, disputeNoun } from './lists.ts';

/** A page of a merchant's own disputes. */
type MerchantDisputesQuery = Omit<DisputeFilter, 'merchantIds'> & {
  readonly merchantId: string;
  readonly after: TimeKey | null;
  readonly limit: number;
};

/** A merchant's disputes, newest first; `next` is null on the last page. */
export async function listMerchantDisputes(
  { prisma }: Database,
  { merchantId, after, limit, ...filter }: MerchantDisputesQuery,
): Promise<{ readonly items: readonly DisputeResource[]; readonly next: TimeKey | null }> {
  const list = listOf(disputeNoun, { ...filter, merchantIds: [merchantId] });
  const page = await prisma.$queryRaw<{ id: string; created_at: Date }[]>(
    selectTimePage(list, { after, before: null, newestFirst: true, limit: limit + 1 }),
  );
  const shown = page.slice(0, limit);
  const rows = await prisma.dispute.findMany({ where: { merchantId, id: { in: shown.map(({ id }) => id) } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const items = shown.flatMap(({ id }) => {
    const row = byId.get(id);
    return row === undefined ? [] : [toResource(row)];
  });
  const last = shown.at(-1);
  const next = page.length > limit && last !== undefined ? { createdAt: last.created_at, id: last.id } : null;
  return { items, next };
}

/** One of a merchant's disputes; null for any other. */
export async function findMerchantDispute(
  { prisma }: Database,
  { merchantId, mode, disputeId }: { readonly merchantId: string; readonly mode: Mode; readonly disputeId: string },
): Promise<DisputeResource | null> {
  const row = await prisma.dispute.findUnique({ where: { merchantId_id: { merchantId, id: disputeId } } });
  return row === null || row.mode !== mode ? null : toResource(row);
}

function toResource(row: Dispute): DisputeResource {
  return disputeResource({ ...row, amount: row.amount.toFixed(), fee: row.fee?.toFixed() ?? null });
}

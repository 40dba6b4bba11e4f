import { Prisma } from '@switchyard/db/client';
import type { AccountingContext } from '../context.ts';
import type { AdjustmentSum } from '../late-arrivals/late-journals.ts';
import type { EntryKind } from '../ledger/entries.ts';
import { type MonthSource, monthEntries, type ZonedMonth } from './month.ts';

/** An amount of a closed month that is not what it was when the month was closed. Amounts are exact decimals of the main unit. */
export interface Adjustment {
  readonly kind: EntryKind;
  readonly subject: string;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** As it was frozen; null where it was not known then. */
  readonly frozen: string | null;
  /** As it is now; null where it is of the month no longer. */
  readonly today: string | null;
  /** `today` less `frozen`. */
  readonly difference: string;
  readonly paymentId: string | null;
  readonly merchantOrderId: string | null;
  readonly settlementId: string | null;
}

/** Changes of a closed month. */
export interface Adjustments {
  /** Of all of them. */
  readonly sums: readonly AdjustmentSum[];
  /** The largest, at most {@link ADJUSTMENTS_MAX}. */
  readonly items: readonly Adjustment[];
}

/** The number of adjustments that are named. */
export const ADJUSTMENTS_MAX = 500;

/** The differences between a closed month as it was frozen and as it would be today, by amount: what the frozen document never shows. */
export async function readAdjustments(
  { configuration }: Pick<AccountingContext['resources'], 'configuration'>,
  { prisma }: MonthSource,
  { closeId, ...month }: ZonedMonth & { readonly closeId: string },
): Promise<Adjustments> {
  const changes = Prisma.sql`
    SELECT kind, subject, account_id AS "accountId", currency::text AS currency, coalesce(today.day, frozen.day)::text AS day,
      trim_scale(frozen.amount)::text AS frozen, trim_scale(today.amount)::text AS today,
      trim_scale(coalesce(today.amount, 0) - coalesce(frozen.amount, 0)) AS difference,
      coalesce(today.payment_id, frozen.payment_id) AS "paymentId", coalesce(today.settlement_id, frozen.settlement_id) AS "settlementId"
    FROM (SELECT kind, subject, account_id, currency::text AS currency, amount, day, payment_id, settlement_id FROM month_close_item
      WHERE merchant_id = ${month.merchantId}::uuid AND close_id = ${closeId}::uuid) AS frozen
    FULL JOIN (${monthEntries(month)}) AS today USING (kind, subject, account_id, currency)
    WHERE coalesce(today.amount, 0) <> coalesce(frozen.amount, 0)`;
  type Item = Omit<Adjustment, 'accountLabel' | 'merchantOrderId'>;
  const [row] = await prisma.$queryRaw<{ sums: Omit<AdjustmentSum, 'accountLabel'>[] | null; items: Item[] | null }[]>`
    WITH change AS MATERIALIZED (${changes})
    SELECT (SELECT json_agg(sums) FROM (SELECT "accountId", currency, kind, count(*)::int AS count,
        trim_scale(sum(difference))::text AS difference FROM change GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) AS sums) AS sums,
      (SELECT json_agg(items) FROM (SELECT kind, subject, "accountId", currency, day, frozen, today, difference::text AS difference, "paymentId",
        "settlementId" FROM change ORDER BY abs(difference) DESC, day, kind, subject LIMIT ${ADJUSTMENTS_MAX}) AS items) AS items`;
  const items = row?.items ?? [];
  const orders = await readOrderIds({ prisma }, month.merchantId, items);
  const labelOf = (accountId: string) => configuration.account(accountId)?.account.label ?? accountId;
  return {
    sums: (row?.sums ?? []).map((sum) => ({ ...sum, accountLabel: labelOf(sum.accountId) })),
    items: items.map((item) => ({
      ...item,
      accountLabel: labelOf(item.accountId),
      merchantOrderId: item.paymentId === null ? null : (orders.get(item.paymentId) ?? null),
    })),
  };
}

async function readOrderIds(
  { prisma }: Pick<MonthSource, 'prisma'>,
  merchantId: string,
  items: readonly { readonly paymentId: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(items.flatMap(({ paymentId }) => paymentId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await prisma.$queryRaw<{ id: string; order: string }[]>`
    SELECT id, merchant_order_id AS order FROM payment WHERE merchant_id = ${merchantId}::uuid AND id = ANY (${ids}::uuid[])`;
  return new Map(rows.map(({ id, order }) => [id, order]));
}

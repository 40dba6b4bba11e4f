import type { Database } from '@switchyard/db';
import type { RefundState } from '@switchyard/db/client';
import { refundList } from '@switchyard/payments/lists';
import { numbersOf } from '../numbers/queries.ts';
import type { ListScope, Period } from './list-transactions.ts';
import { countRows, type MerchantList, readSkipping } from './numbered-pages.ts';
import { type NumberedRefund, readTransactions, type Transaction, withNumber } from './transaction.ts';

/** Which refunds. Null matches any. */
export interface RefundListFilter extends Period {
  /** Null for any; empty for none. */
  readonly states: readonly RefundState[] | null;
  readonly paymentId: string | null;
}

/** A refund and what it refunds. */
export interface ListedRefund {
  readonly refund: NumberedRefund;
  readonly transaction: Transaction;
}

/** A page of a merchant's refunds of a mode, newest first, after a number of others. */
export async function listRefunds(
  database: Database,
  scope: ListScope,
  { filter, skipped, limit }: { readonly filter: RefundListFilter; readonly skipped: number; readonly limit: number },
  now: Date,
): Promise<readonly ListedRefund[]> {
  if (filter.states?.length === 0) return [];
  const { merchantId } = scope;
  const ids = await readSkipping(database, listOf(scope, filter), { skipped, limit });
  const refunds = await database.prisma.refund.findMany({ where: { merchantId, id: { in: [...ids] } } });
  const paymentIds = [...new Set(refunds.map(({ paymentId }) => paymentId))];
  const transactions = await readTransactions(database, { merchantId, paymentIds }, now);
  const numbers = await numbersOf(database, { merchantId, kind: 'refund', objectIds: ids }, now);
  const refundOf = new Map(refunds.map((refund) => [refund.id, refund]));
  return ids.flatMap((id) => {
    const refund = refundOf.get(id);
    const number = numbers.get(id);
    const transaction = transactions.get(refund?.paymentId ?? '');
    if (refund === undefined || number === undefined || transaction === undefined) return [];
    return [{ refund: withNumber(refund, number), transaction }];
  });
}

/** The number of a filter's refunds; null where counting them takes longer than a second. */
export async function countRefunds(database: Database, scope: ListScope, filter: RefundListFilter): Promise<number | null> {
  return filter.states?.length === 0 ? 0 : countRows(database, listOf(scope, filter));
}

function listOf({ merchantId, mode }: ListScope, { states, ...filter }: RefundListFilter): MerchantList {
  const { table, conditions } = refundList({ ...filter, merchantIds: [merchantId], mode, states: states ?? [], gateways: [] });
  return { table, merchantId, conditions };
}

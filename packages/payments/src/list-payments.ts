import {
  type Mode,
  type PaymentListFilter,
  type PaymentListItem,
  type PaymentPageKey,
  type PaymentStatus,
  type PaymentSum,
  readPaymentPage,
  searchPaymentIds,
  sumPayments,
} from '@switchyard/db';
import type { PaymentsContext } from './context.ts';

const PAGE_MAX = 200;

/** What payments to list. `merchantIds` must be the ones the person asking may see. */
export interface ListPaymentsQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** Empty for any. */
  readonly statuses: readonly PaymentStatus[];
  /** Names of gateways; empty for any. */
  readonly gateways: readonly string[];
  /** Created at or after. */
  readonly from: Date | null;
  /** Created before. */
  readonly to: Date | null;
  /** A payment's id, the beginning of an order id, or an attempt's reference. */
  readonly search: string | null;
  /** The last payment of the page before. */
  readonly after: PaymentPageKey | null;
  /** 1 to 200. */
  readonly limit: number;
}

export interface PaymentPage {
  readonly items: readonly PaymentListItem[];
  /** Where the next page begins; null on the last one. */
  readonly next: PaymentPageKey | null;
}

/** A page of payments, newest first. */
export async function listPayments(context: PaymentsContext, query: ListPaymentsQuery): Promise<PaymentPage> {
  const { database } = context.resources;
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const search = query.search?.trim() || null;
  const paymentIds = search === null ? null : await searchPaymentIds(database, query, search);
  if (query.merchantIds.length === 0 || paymentIds?.length === 0) return { items: [], next: null };
  const filter: PaymentListFilter = { ...query, paymentIds };
  // One more than asked for tells whether another page exists.
  const rows = await readPaymentPage(database, filter, query.after, limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? { createdAt: last.createdAt, paymentId: last.paymentId } : null;
  return { items, next };
}

/** Counts and amounts per status and currency of what was created in a period. */
export function summarisePayments(
  context: PaymentsContext,
  period: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly from: Date; readonly to: Date },
): Promise<PaymentSum[]> {
  return sumPayments(context.resources.database, { ...period, statuses: [], gateways: [], paymentIds: null });
}

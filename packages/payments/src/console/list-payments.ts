import type { Mode, PaymentStatus } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import {
  type PaymentListItem,
  type PaymentPageFilter,
  type PaymentPageKey,
  type PaymentSum,
  readPaymentPage,
  searchPaymentIds,
  sumPayments,
} from './payment-queries.ts';

const PAGE_MAX = 200;

/** The filter of payments. `merchantIds` must be those the caller may see. */
export interface ListPaymentsQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** Empty for any. */
  readonly statuses: readonly PaymentStatus[];
  /** Names of gateways, `` for payments that none could take; empty for any. */
  readonly gateways: readonly string[];
  /** The gateway that was paid, else the one that opened the checkout the customer had; `` for neither, null for any. */
  readonly openedAt: string | null;
  /** Null among them for payments that named none; empty for any. */
  readonly methods: readonly (string | null)[];
  /** Whole main units, both inclusive. */
  readonly minAmount: bigint | null;
  readonly maxAmount: bigint | null;
  /** Id of the rule that routed it; `` for none. */
  readonly ruleId: string | null;
  /** The account that was paid, else the one whose checkout the customer had. */
  readonly accountId: string | null;
  /** The customer's e-mail address or the merchant's id of the customer. */
  readonly customer: string | null;
  /** Created at or after. */
  readonly from: Date | null;
  /** Created before. */
  readonly to: Date | null;
  /** A payment's id, the beginning of an order id, an attempt's reference, or a customer's e-mail address. */
  readonly search: string | null;
  /** Only payments under review. */
  readonly underReview: boolean;
  /** The last payment of the previous page. */
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
  const { database, configuration } = context.resources;
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const search = query.search?.trim() || null;
  const paymentIds = search === null ? null : await searchPaymentIds(database, query, search);
  if (query.merchantIds.length === 0 || paymentIds?.length === 0) return { items: [], next: null };
  const everyMerchant = query.merchantIds.length === configuration.merchants().length;
  const filter: PaymentPageFilter = { ...query, everyMerchant, paymentIds };
  // One more than requested shows whether another page exists.
  const rows = await readPaymentPage(database, filter, query.after, limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? { createdAt: last.createdAt, paymentId: last.paymentId } : null;
  return { items, next };
}

/** Today's totals so far, against the same hours a week ago. */
export interface TodaySummary {
  readonly asOf: Date;
  /** Midnight in the requested zone. */
  readonly dayStart: Date;
  readonly today: readonly PaymentSum[];
  readonly weekAgo: readonly PaymentSum[];
  /** Payments of any age under review. */
  readonly underReview: number;
}

const ANY_PAYMENT = {
  statuses: [],
  gateways: [],
  methods: [],
  minAmount: null,
  maxAmount: null,
  ruleId: null,
  accountId: null,
  customer: null,
  openedAt: null,
  underReview: false,
} as const;
const WEEK_MS = 7 * 86_400_000;

/** Counts and amounts per status and currency of today, by the calendar of `zone` (IANA). */
export async function summariseToday(
  context: PaymentsContext,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly zone: string },
): Promise<TodaySummary> {
  const { database } = context.resources;
  const asOf = context.now();
  const dayStart = startOfDay(asOf, query.zone);
  const any = { ...query, ...ANY_PAYMENT, paymentIds: null };
  const [today, weekAgo, reviewed] = await Promise.all([
    sumPayments(database, { ...any, from: dayStart, to: null }),
    sumPayments(database, { ...any, from: new Date(dayStart.getTime() - WEEK_MS), to: new Date(asOf.getTime() - WEEK_MS) }),
    sumPayments(database, { ...any, from: null, to: null, underReview: true }),
  ]);
  return { asOf, dayStart, today, weekAgo, underReview: reviewed.reduce((sum, { count }) => sum + count, 0) };
}

/** The last midnight in a zone. Where midnight does not exist that day, the first moment after it. */
export function startOfDay(moment: Date, zone: string): Date {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const day = format.format(moment);
  // Zone offsets are multiples of a quarter of an hour; the day began between 0 and 25 hours ago.
  const quarter = 15 * 60_000;
  let start = Math.floor(moment.getTime() / quarter) * quarter;
  while (format.format(start - quarter) === day) start -= quarter;
  return new Date(start);
}

import { type Database, isUuid } from '@switchyard/db';
import { type Mode, type PaymentStatus, Prisma, type ReviewState } from '@switchyard/db/client';
import { countByValue, countOfAll, type ListCount, selectPage, type ValueCount } from '@switchyard/db/lists';
import { DISPLAY_STATUS_SQL, type DisplayStatus } from '@switchyard/reporting/display-status';
import type { PaymentsContext } from '../../record/context.ts';
import type { FailureReason } from '../../record/failure-reason.ts';
import { type MoneyPagePart, moneyPage, orderClause } from '../../record/money-page.ts';
import { wholeTimeline } from '../../record/timeline.ts';
import { paymentList, type SearchMatch } from '../payment-filter.ts';
import { type PaymentFilter, UNUSUAL_STATUSES } from '../payment-noun.ts';

/** One line of a list of payments. */
export interface PaymentListItem {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly status: PaymentStatus;
  readonly displayStatus: DisplayStatus;
  /** Whole main units. */
  readonly amount: bigint;
  readonly currency: string;
  /** Name of the gateway whose session the customer has; `` when none was eligible. */
  readonly gateway: string;
  /** The method that was used, else the requested one. */
  readonly paymentMethod: string | null;
  readonly customerEmail: string;
  readonly customerId: string | null;
  readonly ruleId: string | null;
  readonly gatewayReference: string | null;
  readonly refundedAmount: bigint;
  /** Amount that its gateway took back, apart from refunds: an exact decimal of the main unit. */
  readonly reversedAmount: string;
  readonly late: boolean;
  readonly review: ReviewState | null;
  /** Why it failed; null in any other status, and while that is not known. */
  readonly failureReason: FailureReason | null;
  /** Its field that a search matched; null without a search. */
  readonly matched: SearchMatch | null;
  /** The number of checkout attempts. */
  readonly attemptCount: number;
  readonly createdAt: Date;
}

/** The first `limit` payments of a filter that come after `after`, in the order of the page, and whether the search was cut. */
export async function readPaymentPage(
  database: Database,
  filter: PaymentFilter,
  { isAllMerchants, now, ...part }: MoneyPagePart & { readonly isAllMerchants: boolean; readonly now: Date },
): Promise<{ readonly rows: PaymentListItem[]; readonly isCut: boolean }> {
  // Only the order by time has an index over all merchants together.
  const list = await paymentList(database, filter, isAllMerchants && part.sort?.by !== 'amount', now);
  // The keys first: most filters are answered by the index alone, and only rows of the page are read.
  const rows = await database.prisma.$queryRaw<Omit<PaymentListItem, 'matched'>[]>`
    WITH page AS MATERIALIZED (${selectPage(list, moneyPage(part))})
    SELECT p.merchant_id AS "merchantId", p.id AS "paymentId", p.merchant_order_id AS "merchantOrderId", p.status::text AS status,
      ${Prisma.raw(DISPLAY_STATUS_SQL)} AS "displayStatus", p.amount, p.currency::text AS currency, p.recommended_gateway AS gateway,
      COALESCE(p.paid_method, p.payment_method) AS "paymentMethod", p.customer_email AS "customerEmail",
      p.customer_id AS "customerId", p.rule_id AS "ruleId", p.gateway_reference AS "gatewayReference",
      p.refunded_amount AS "refundedAmount", trim_scale(p.reversed_amount)::text AS "reversedAmount", p.late, p.review::text AS review,
      p.failure_reason AS "failureReason",
      (SELECT count(*)::int FROM attempt
        WHERE attempt.merchant_id = p.merchant_id AND attempt.payment_id = p.id) AS "attemptCount",
      p.created_at AS "createdAt"
    FROM page JOIN payment AS p ON p.merchant_id = page.merchant_id AND p.id = page.id
    ${Prisma.raw(orderClause(part.sort))}`;
  return { rows: rows.map((row) => ({ ...row, matched: list.matches.get(row.paymentId) ?? null })), isCut: list.isCut };
}

const OPEN_STATUSES = ['INITIATED', 'PENDING'] as const satisfies readonly PaymentStatus[];

/** Counts a filter's payments by status, whatever statuses it names itself. Null where that took too long. */
export async function countPaymentsByStatus(database: Database, filter: PaymentFilter, now: Date): Promise<ValueCount[] | null> {
  const type = 'payment_status';
  const all = await paymentList(database, { ...filter, statuses: [] }, false, now);
  const open = await paymentList(database, { ...filter, statuses: OPEN_STATUSES }, false, now);
  // The index has the unusual statuses alone: payments without one are paid, except for the open ones.
  const [found, stillOpen] = await Promise.all([
    countByValue(database.prisma, all, { column: 'unusual_status', type, values: [...UNUSUAL_STATUSES, null] }),
    countByValue(database.prisma, open, { column: 'status', type, values: OPEN_STATUSES }),
  ]);
  if (found === null || stillOpen === null) return null;
  const openCount = stillOpen.reduce((sum, { count }) => sum + count, 0);
  const counts = found.map(({ value, count, more }): ValueCount => {
    if (value !== '') return { value, count, more };
    return { value: 'SUCCESS', count: more ? count : Math.max(0, count - openCount), more };
  });
  return [...counts, ...stillOpen];
}

/** Counts a filter's payments that people read this status of. Null where that took too long. */
export async function countPaymentsShownAs(
  database: Database,
  filter: PaymentFilter,
  status: DisplayStatus,
  now: Date,
): Promise<ListCount | null> {
  const list = await paymentList(database, { ...filter, statuses: [], displayStatuses: [status] }, false, now);
  const found = await countByValue(database.prisma, list, { column: 'mode', type: 'mode', values: [filter.mode] });
  return found && countOfAll(found);
}

/** Payments of one gateway, status and currency, counted and added up. */
export interface PaymentSum {
  /** `` where no account was eligible. */
  readonly gateway: string;
  readonly status: DisplayStatus;
  readonly currency: string;
  readonly count: number;
  /** Whole main units. */
  readonly amount: bigint;
}

/** Counts and amounts of a filter's payments. */
export async function sumPayments(database: Database, filter: PaymentFilter): Promise<PaymentSum[]> {
  const { conditions } = await paymentList(database, filter);
  return database.prisma.$queryRaw<PaymentSum[]>`
    SELECT p.recommended_gateway AS gateway, ${Prisma.raw(DISPLAY_STATUS_SQL)} AS status, p.currency::text AS currency, count(*)::int AS count,
      sum(p.amount)::int8 AS amount
    FROM payment AS p
    WHERE p.merchant_id = ANY (${filter.merchantIds}::uuid[]) AND ${Prisma.join(conditions, ' AND ')}
    GROUP BY 1, 2, 3 ORDER BY 2, 3, 1`;
}

const ATTEMPTS_MAX = 100;
const EVENTS_MAX = 500;
const REFUNDS_MAX = 100;
const DISPUTES_MAX = 20;

/**
 * A payment of one of these merchants with its timeline, or null. `paymentId` must be a UUID. Several statements: read in a snapshot, so that
 * the payment's status is that of its refunds.
 */
export async function findPaymentWithTimeline(
  database: Pick<Database, 'prisma'>,
  merchantIds: readonly string[],
  paymentId: string,
) {
  const payment = await database.prisma.payment.findFirst({
    where: { merchantId: { in: [...merchantIds] }, id: paymentId },
    include: {
      attempts: { orderBy: { position: 'asc' }, take: ATTEMPTS_MAX },
      timeline: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: EVENTS_MAX },
      refunds: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: REFUNDS_MAX },
      disputes: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: DISPUTES_MAX },
    },
  });
  if (payment === null) return null;
  const key = { merchantId: payment.merchantId, paymentId };
  const check = await database.prisma.paymentCheck.findUnique({ where: { merchantId_paymentId: key } });
  const timeline = wholeTimeline([payment], payment.attempts, payment.timeline);
  return { ...payment, timeline, nextCheckAt: check?.nextCheckAt ?? null };
}

/** A payment as {@link findPaymentWithTimeline} finds it. */
export type PaymentWithTimeline = NonNullable<Awaited<ReturnType<typeof findPaymentWithTimeline>>>;

/** A payment or something about one, by its id. */
export interface PaymentObject {
  readonly kind: 'payment' | 'refund' | 'duplicate_charge' | 'refund_approval';
  readonly id: string;
}

/** The mode of a payment, or of something about one, at any of these merchants, which never changes. Null when they have none of this id. */
export async function readModeOf(
  { resources }: PaymentsContext,
  { kind, id }: PaymentObject,
  merchantIds: readonly string[],
): Promise<Mode | null> {
  if (!isUuid(id)) return null;
  const { prisma } = resources.database;
  const query = { where: { id, merchantId: { in: [...merchantIds] } }, select: { mode: true } };
  const found = await {
    payment: () => prisma.payment.findFirst(query),
    refund: () => prisma.refund.findFirst(query),
    duplicate_charge: () => prisma.duplicateCharge.findFirst(query),
    refund_approval: () => prisma.refundApproval.findFirst(query),
  }[kind]();
  return found?.mode ?? null;
}

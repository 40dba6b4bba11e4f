import type { Database } from '@switchyard/db';
import { type Mode, Prisma, type RefundApproval } from '@switchyard/db/client';
import { selectPage, type TenantList } from '@switchyard/db/lists';
import { defineNoun, listOf, type NounFilter } from '@switchyard/nouns';
import { amount, code, moment, text } from '@switchyard/nouns/fields';
import * as by from '@switchyard/nouns/filters';
import type { RuntimeContext } from '@switchyard/runtime';
import type { PaymentsContext } from '../../record/context.ts';
import { type MoneyPage, type MoneyPagePart, moneyPage, nextMoneyKey, orderClause } from '../../record/money-page.ts';

/** States of a refund that needs a second person, as they are now: one that waited too long is expired. */
export const APPROVAL_STATES = ['WAITING', 'APPROVED', 'DECLINED', 'WITHDRAWN', 'EXPIRED'] as const;

/** State of a refund that needs a second person. */
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** The state of an approval now. */
export function approvalStateOf({ state, expiresAt }: Pick<RefundApproval, 'state' | 'expiresAt'>, now: Date): ApprovalState {
  return state === 'WAITING' && expiresAt <= now ? 'EXPIRED' : state;
}

const stateAt = (now: Date) =>
  Prisma.sql`CASE WHEN p.state = 'WAITING' AND p.expires_at <= ${now}::timestamptz THEN 'EXPIRED' ELSE p.state::text END`;

/** Refunds that need a second person. */
export const approvalNoun = defineNoun({
  title: 'Refund approvals',
  permission: 'payment:read',
  table: 'refund_approval',
  order: 'time',
  fields: {
    approval_id: code('The id that its refund gets.', 'p.id'),
    merchant_id: code('The merchant.'),
    created_at: moment('When it was requested, in UTC.'),
    payment_id: code('The payment.'),
    amount: amount('The amount, in whole main units.'),
    currency: text('ISO 4217.'),
    gateway: code('The gateway that would refund it.'),
    reason: text('The reason given.'),
    reason_code: code("The merchant's code of the reason; empty where it keeps none."),
    note: text('The note of the requester.'),
    requested_by: code('Who requested it.'),
    expires_at: moment('Until when it can be approved, in UTC.'),
    decided_by: code('Who decided it.'),
    decided_at: moment('When it was decided, in UTC.'),
    decision_note: text('The note of who decided it.'),
  },
  filter: {
    ...by.timed(),
    // The condition depends on the moment: one that waited too long is expired.
    states: by.anyOf('States.', APPROVAL_STATES),
    gateways: by.names('Names of gateways.', 100, 'p.gateway'),
    paymentId: by.id('The payment.', 'p.payment_id'),
    search: by.search("Its id, or its payment's id, order or customer's e-mail address.", {
      ids: ['p.id', 'p.payment_id'],
      references: [],
      ofPayment: true,
    }),
  },
});

export type ApprovalFilter = NounFilter<typeof approvalNoun>;

/** One line of the list of refunds that need a second person. */
export interface ApprovalListItem {
  readonly merchantId: string;
  /** The id that its refund gets. */
  readonly approvalId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly kind: 'own' | 'duplicate' | 'mismatched';
  /** Whole main units. */
  readonly amount: bigint;
  readonly paymentAmount: bigint;
  readonly currency: string;
  readonly gateway: string;
  readonly state: ApprovalState;
  readonly reason: string | null;
  readonly reasonCode: string | null;
  readonly reasonTitle: string | null;
  readonly note: string | null;
  readonly requestedBy: string;
  readonly expiresAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly decisionNote: string | null;
  readonly createdAt: Date;
}

/** The list of a filter's approvals, with their states as they are at a moment. */
export function approvalList(filter: ApprovalFilter, now: Date): TenantList {
  const { states = [] } = filter;
  const list = listOf(approvalNoun, filter);
  if (states.length === 0) return list;
  return { ...list, conditions: [...list.conditions, Prisma.sql`${stateAt(now)} = ANY (${[...states]})`] };
}

/** A page of refunds that need a second person. */
export function readApprovalPage(
  database: Database,
  filter: ApprovalFilter,
  page: MoneyPagePart,
  now: Date,
): Promise<ApprovalListItem[]> {
  return database.prisma.$queryRaw<ApprovalListItem[]>`
    WITH page AS MATERIALIZED (${selectPage(approvalList(filter, now), moneyPage(page))})
    SELECT p.merchant_id AS "merchantId", p.id AS "approvalId", p.payment_id AS "paymentId",
      payment.merchant_order_id AS "merchantOrderId", payment.amount AS "paymentAmount", p.kind, p.amount,
      p.currency::text AS currency, p.gateway, ${stateAt(now)} AS state, p.reason, p.reason_code AS "reasonCode",
      (SELECT each->>'title' FROM json_array_elements(control.reason_codes) AS each WHERE each->>'code' = p.reason_code LIMIT 1)
        AS "reasonTitle", p.note, p.requested_by AS "requestedBy", p.expires_at AS "expiresAt", p.decided_by AS "decidedBy",
      p.decided_at AS "decidedAt", p.decision_note AS "decisionNote", p.created_at AS "createdAt"
    FROM page
    JOIN refund_approval AS p ON p.merchant_id = page.merchant_id AND p.id = page.id
    JOIN payment ON payment.merchant_id = p.merchant_id AND payment.id = p.payment_id
    LEFT JOIN refund_control AS control ON control.merchant_id = p.merchant_id
    ${Prisma.raw(orderClause(page.sort))}`;
}

/** Approvals of one state and currency together. */
export interface ApprovalSum {
  readonly state: ApprovalState;
  readonly currency: string;
  readonly count: number;
  /** Whole main units. */
  readonly amount: bigint;
}

/** The approvals of a filter, counted and added up by state and currency. */
export function sumApprovals(
  { prisma }: { readonly prisma: Pick<Database['prisma'], '$queryRaw'> },
  filter: ApprovalFilter,
  now: Date,
): Promise<ApprovalSum[]> {
  const { merchantIds, conditions } = approvalList(filter, now);
  return prisma.$queryRaw<ApprovalSum[]>`
    SELECT ${stateAt(now)} AS state, p.currency::text AS currency, count(*)::int AS count, sum(p.amount)::bigint AS amount
    FROM refund_approval AS p
    WHERE p.merchant_id = ANY (${merchantIds}::uuid[]) AND ${Prisma.join([...conditions], ' AND ')} GROUP BY 1, 2 ORDER BY 1, 2`;
}

/** Refunds of one merchant and currency that wait for a second person. */
export interface WaitingRefunds {
  readonly merchantId: string;
  readonly currency: string;
  readonly count: number;
  /** Whole main units. */
  readonly amount: string;
  readonly oldestAt: Date;
}

/** Sums refunds that wait for a second person who is not their requester. */
export function sumWaiting(
  { prisma }: Database,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly exceptOf: string },
  now: Date,
): Promise<WaitingRefunds[]> {
  return prisma.$queryRaw<WaitingRefunds[]>`
    SELECT merchant_id AS "merchantId", currency::text AS currency, count(*)::int AS count, sum(amount)::text AS amount,
      min(created_at) AS "oldestAt"
    FROM refund_approval
    WHERE merchant_id = ANY (${query.merchantIds}::uuid[]) AND mode = ${query.mode}::mode AND state = 'WAITING'
      AND expires_at > ${now}::timestamptz AND requested_by <> ${query.exceptOf}
    GROUP BY merchant_id, currency`;
}

/** An approval by its id; null when there is none. */
export function readApproval(
  client: Prisma.TransactionClient,
  merchantId: string,
  approvalId: string,
): Promise<RefundApproval | null> {
  return client.refundApproval.findUnique({ where: { merchantId_id: { merchantId, id: approvalId } } });
}

/** The approval of money that can be refunded only as a whole, while it waits; null when none does. */
export function findWaitingFor(
  transaction: Prisma.TransactionClient,
  { merchantId, subjectId }: { readonly merchantId: string; readonly subjectId: string },
  now: Date,
): Promise<RefundApproval | null> {
  return transaction.refundApproval.findFirst({
    where: { merchantId, subjectId, state: 'WAITING', expiresAt: { gt: now } },
  });
}

/** How an approval was decided. */
export interface ApprovalDecision {
  readonly state: 'APPROVED' | 'DECLINED' | 'WITHDRAWN';
  readonly decidedBy: string;
  readonly decisionNote: string | null;
}

/** Decides an approval that waits; false when it was decided, or has expired. */
export async function decideApproval(
  transaction: Prisma.TransactionClient,
  { merchantId, approvalId }: { readonly merchantId: string; readonly approvalId: string },
  decision: ApprovalDecision,
  now: Date,
): Promise<boolean> {
  const { count } = await transaction.refundApproval.updateMany({
    where: { merchantId, id: approvalId, state: 'WAITING', expiresAt: { gt: now } },
    data: { ...decision, decidedAt: now },
  });
  return count === 1;
}

/** Refunds of several merchants that need a second person, newest first unless another order is wanted. */
export async function listApprovals(
  context: PaymentsContext,
  { after, limit, sort, ...filter }: ApprovalFilter & MoneyPagePart,
): Promise<MoneyPage<ApprovalListItem>> {
  const page = { after, limit: limit + 1, sort };
  const rows = await readApprovalPage(context.resources.database, filter, page, context.now());
  const next = nextMoneyKey(rows, limit, ({ createdAt, approvalId: id, amount }) => ({ createdAt, id, amount }));
  return { items: rows.slice(0, limit), next };
}

/** Refunds of these merchants that wait for this staff user's approval: those they requested are left out. */
export function sumRefundsToApprove(
  context: RuntimeContext<'database'>,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly staffId: string },
): Promise<WaitingRefunds[]> {
  const { merchantIds, mode, staffId } = query;
  return sumWaiting(context.resources.database, { merchantIds, mode, exceptOf: `staff:${staffId}` }, context.now());
}

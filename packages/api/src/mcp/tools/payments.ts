import { PAYMENT_STATUSES, paymentFilter } from '@switchyard/payments/lists';
import { DISPLAY_STATUSES } from '@switchyard/reporting/display-status';
import { formatMoney, PAYMENT_METHODS } from '@switchyard/routing';
import { z } from 'zod';
import { pageCursor, readPageCursor } from '../../rest/list-queries.ts';
import { defineTool, quoteOrNull, quoteText, ToolRefusal, UNTRUSTED_WARNING, untrusted } from '../tool.ts';
import { cursorOf, firstOf, instant, limitOf, merchantIds, mode, paymentId } from './inputs.ts';

const AMOUNT_MAX = 1_000_000_000_000;
const PAGE_MAX = 50;
const amount = z.int().min(0).max(AMOUNT_MAX).nullable().default(null);
const moment = instant.nullable().default(null);

const FOUND_BY = {
  mode: true,
  statuses: true,
  gateways: true,
  accountIds: true,
  ruleIds: true,
  late: true,
  underReview: true,
  customer: true,
  search: true,
} as const;

export const findPayments = defineTool({
  name: 'find_payments',
  title: 'Find payments',
  description:
    'Payments by the filters of the dashboard, newest first, at most 50 at once. What is left out matches any. For the next page, send the same filters with the cursor of this one.',
  changes: 'nothing',
  input: paymentFilter.pick(FOUND_BY).extend({
    merchantIds,
    // JSON has neither moments nor large whole numbers.
    amountFrom: amount.describe('Whole main units, inclusive.'),
    amountTo: amount.describe('Whole main units, inclusive.'),
    createdFrom: moment.describe('Inclusive.'),
    createdTo: moment.describe('Exclusive.'),
    methods: z.array(z.enum(PAYMENT_METHODS)).max(20).default([]).describe('Payment methods.'),
    cursor: cursorOf(200),
    limit: limitOf(PAGE_MAX),
  }),
  output: z.strictObject({
    payments: z.array(
      z.strictObject({
        paymentId: z.string(),
        merchantId: z.string(),
        status: z.enum(PAYMENT_STATUSES),
        displayStatus: z.enum(DISPLAY_STATUSES).describe('EXPIRED is no failure.'),
        amount: z.int(),
        currency: z.string(),
        method: z.string().nullable(),
        gateway: z.string().nullable().describe('Null when no account could take it.'),
        ruleId: z.string().nullable(),
        attempts: z.int(),
        refunded: z.int(),
        late: z.boolean(),
        underReview: z.boolean(),
        createdAt: instant,
        untrusted: untrusted({ merchantOrderId: z.string(), customerEmail: z.string(), customerId: z.string().nullable() }),
      }),
    ),
    cursor: z.string().nullable().describe('Null on the last page.'),
  }),
  async run({ trpc }, { cursor, ...filter }) {
    const after = cursor === null ? null : readPageCursor(cursor);
    if (cursor !== null && after === null) throw new ToolRefusal('This cursor is not one of ours.');
    const { items, next } = await trpc.payments.list({ ...filter, cursor: after });
    const payments = items.map((item) => ({
      paymentId: item.paymentId,
      merchantId: item.merchantId,
      status: item.status,
      displayStatus: item.displayStatus,
      amount: Number(item.amount),
      currency: item.currency,
      method: item.paymentMethod,
      gateway: item.gateway === '' ? null : item.gateway,
      ruleId: item.ruleId,
      attempts: item.attemptCount,
      refunded: Number(item.refundedAmount),
      late: item.late,
      underReview: item.review === 'OPEN',
      createdAt: item.createdAt.toISOString(),
      untrusted: {
        warning: UNTRUSTED_WARNING,
        merchantOrderId: quoteText(item.merchantOrderId),
        customerEmail: quoteText(item.customerEmail),
        customerId: quoteOrNull(item.customerId),
      },
    }));
    const more = next === null ? 'There are no more.' : 'There are more: send the cursor.';
    return {
      text: `${payments.length} payment(s). ${more}`,
      data: { payments, cursor: next === null ? null : pageCursor(next) },
    };
  },
});

const LISTED_MAX = 40;
const ACCOUNTS_MAX = 30;

export const explainPayment = defineTool({
  name: 'explain_payment',
  title: 'Explain a payment',
  description:
    'Why one payment was routed as it was and what became of it: the rule, each account with the reason it was left out, every attempt with its failure, the timeline, refunds.',
  changes: 'nothing',
  input: z.strictObject({ paymentId }),
  output: z.strictObject({
    paymentId: z.string(),
    merchantId: z.string(),
    merchantName: z.string(),
    mode,
    status: z.enum(PAYMENT_STATUSES),
    amount: z.int(),
    currency: z.string(),
    method: z.string().nullable(),
    late: z.boolean(),
    underReview: z.boolean(),
    createdAt: instant,
    received: z.string().nullable().describe('Exact decimal of the main unit.'),
    fee: z.string().nullable(),
    refunded: z.int(),
    decision: z.strictObject({
      rationale: z.string().nullable(),
      reasons: z.array(z.string()),
      ruleId: z.string().nullable(),
      ruleSetVersion: z.int(),
      accounts: z.array(
        z.strictObject({
          accountId: z.string(),
          gateway: z.string(),
          label: z.string().nullable(),
          eligible: z.boolean(),
          recommended: z.boolean(),
          because: z.array(z.string()).describe('What spoke against it, or moved it.'),
        }),
      ),
    }),
    attempts: z.array(
      z.strictObject({
        position: z.int(),
        gateway: z.string(),
        accountId: z.string(),
        accountLabel: z.string().nullable(),
        state: z.string(),
        failureClass: z.string().nullable(),
        latencyMs: z.number().nullable(),
        at: instant,
        untrusted: untrusted({ failureCode: z.string().nullable(), failureMessage: z.string().nullable() }),
      }),
    ),
    timeline: z.array(
      z.strictObject({
        at: instant,
        event: z.string(),
        from: z.string().nullable(),
        to: z.string().nullable(),
        cause: z.string(),
        by: z.string().nullable(),
      }),
    ),
    refunds: z.array(z.strictObject({ refundId: z.string(), amount: z.int(), state: z.string(), at: instant })),
    untrusted: untrusted({
      merchantOrderId: z.string(),
      customerEmail: z.string(),
      customerId: z.string().nullable(),
      requestedGateway: z.string().nullable(),
      gatewayReference: z.string().nullable(),
      metadata: z.string().nullable(),
      reviewReason: z.string().nullable(),
    }),
  }),
  async run({ trpc }, { paymentId: wanted }) {
    const found = await trpc.payments.byId({ paymentId: wanted });
    const { decision, attempts } = found;
    const nameOf = (actor: string | null) => {
      const staffId = actor?.startsWith('staff:') === true ? actor.slice('staff:'.length) : null;
      return staffId === null ? actor : (found.people.get(staffId) ?? 'a former colleague');
    };
    const failed = attempts.filter(({ failure }) => failure !== null);
    const text = [
      `Payment ${found.paymentId} of ${formatMoney(found.currency, found.amount)} (${found.mode}) is ${found.status}.`,
      decision.record?.rationale ?? 'Its decision cannot be read.',
      decision.ruleId === null ? 'No rule matched it.' : `Rule ${decision.ruleId} of version ${decision.ruleSetVersion} decided.`,
      `It was tried at ${attempts.length} account(s); ${failed.length} failed.`,
      ...failed.slice(0, 5).map((attempt) => `${attempt.accountLabel ?? attempt.gateway}: ${attempt.failure?.class}.`),
    ].join(' ');
    return {
      text,
      data: {
        paymentId: found.paymentId,
        merchantId: found.merchantId,
        merchantName: found.merchantName,
        mode: found.mode,
        status: found.status,
        amount: Number(found.amount),
        currency: found.currency,
        method: found.money.paidMethod ?? found.paymentMethod,
        late: found.late,
        underReview: found.review?.state === 'OPEN',
        createdAt: found.createdAt.toISOString(),
        received: found.money.received,
        fee: found.money.fee,
        refunded: Number(found.money.refunded),
        decision: {
          rationale: decision.record?.rationale ?? null,
          reasons: firstOf(decision.record?.reasons ?? [], LISTED_MAX).map(({ message }) => message),
          ruleId: decision.ruleId,
          ruleSetVersion: decision.ruleSetVersion,
          accounts: firstOf(decision.candidates, ACCOUNTS_MAX).map((candidate) => ({
            accountId: candidate.accountId,
            gateway: candidate.gateway,
            label: candidate.label,
            eligible: candidate.eligible,
            recommended: candidate.recommended,
            because: candidate.conditions.filter(({ outcome }) => outcome !== 'holds').map(({ detail }) => detail),
          })),
        },
        attempts: firstOf(attempts, LISTED_MAX).map((attempt) => ({
          position: attempt.position,
          gateway: attempt.gateway,
          accountId: attempt.accountId,
          accountLabel: attempt.accountLabel,
          state: attempt.state,
          failureClass: attempt.failure?.class ?? null,
          latencyMs: attempt.latencyMs,
          at: attempt.createdAt.toISOString(),
          untrusted: {
            warning: UNTRUSTED_WARNING,
            failureCode: quoteOrNull(attempt.failure?.code ?? null),
            failureMessage: quoteOrNull(attempt.failure?.message ?? null),
          },
        })),
        timeline: firstOf(found.timeline, LISTED_MAX).map((event) => ({
          at: event.createdAt.toISOString(),
          event: event.type,
          from: event.fromStatus,
          to: event.toStatus,
          cause: event.cause,
          by: nameOf(event.actor),
        })),
        refunds: firstOf(found.refunds, LISTED_MAX).map((refund) => ({
          refundId: refund.refundId,
          amount: Number(refund.amount),
          state: refund.state,
          at: refund.createdAt.toISOString(),
        })),
        untrusted: {
          warning: UNTRUSTED_WARNING,
          merchantOrderId: quoteText(found.merchantOrderId),
          customerEmail: quoteText(found.customer.email),
          customerId: quoteOrNull(found.customer.id),
          requestedGateway: quoteOrNull(decision.requestedGateway),
          gatewayReference: quoteOrNull(found.gatewayReference),
          metadata: quoteOrNull(found.metadata, 2_000),
          reviewReason: quoteOrNull(found.review?.reason ?? null),
        },
      },
    };
  },
});

export const wouldRouteSameNow = defineTool({
  name: 'would_route_same_now',
  title: 'Would it route the same now',
  description:
    'Decides a past payment again with the rules, accounts, overrides and health of this moment, and compares. Nothing is sent to a gateway.',
  changes: 'nothing',
  input: z.strictObject({ paymentId }),
  output: z.strictObject({
    paymentId: z.string(),
    merchantId: z.string(),
    mode,
    same: z.boolean().nullable().describe('Null when the stored decision cannot be read.'),
    answer: z.string(),
    differences: z.array(z.string()),
    recommendedBefore: z.string().nullable().describe('Account id.'),
    recommendedNow: z.string().nullable().describe('Account id.'),
    /** `same` if the stored decision follows from its own rules and inputs. */
    reproducible: z.enum(['same', 'differs', 'impossible']),
    reproduction: z.string(),
  }),
  async run({ trpc }, { paymentId: wanted }) {
    const { merchantId, paymentId: id, mode: of, recomputed, now } = await trpc.routing.explain({ paymentId: wanted });
    const answer = now?.message ?? 'What was stored with the decision cannot be read, so it cannot be compared.';
    return {
      text: answer,
      data: {
        paymentId: id,
        merchantId,
        mode: of,
        same: now?.comparison.same ?? null,
        answer,
        differences: firstOf(now?.comparison.differences ?? [], LISTED_MAX),
        recommendedBefore: now?.comparison.recommendedBefore ?? null,
        recommendedNow: now?.comparison.recommendedNow ?? null,
        reproducible: recomputed.kind,
        reproduction: recomputed.message,
      },
    };
  },
});

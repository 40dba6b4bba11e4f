import { type PaymentStatus, Prisma } from '@switchyard/db/client';
import { isOneOf } from '@switchyard/db/lists';
import { defineNoun, type NounFilter } from '@switchyard/nouns';
import { amount, code, day, decimal, flag, moment, oneOf, text } from '@switchyard/nouns/fields';
import * as by from '@switchyard/nouns/filters';
import {
  DISPLAY_STATUS_SQL,
  DISPLAY_STATUSES,
  type DisplayStatus,
  hasDisplayStatus,
  statusOf,
} from '@switchyard/reporting/display-status';
import { isWithinDays, settledOn } from '@switchyard/reporting/payment-dates';
import { z } from 'zod';
import { FAILURE_REASONS } from '../record/failure-reason.ts';
import { LISTED_OUTCOMES } from './impact/sum-impact.ts';

export const PAYMENT_STATUSES = [
  'INITIATED',
  'PENDING',
  'SUCCESS',
  'FAILED',
  'REFUNDED',
] as const satisfies readonly PaymentStatus[];

/** Statuses that few payments have, which lists find by an index. */
export const UNUSUAL_STATUSES = ['FAILED', 'REFUNDED'] as const satisfies readonly PaymentStatus[];

/** Dates of payments that periods may be of. */
export const PAYMENT_DATES = ['created', 'paid', 'settled'] as const;

const IS_DISPUTED = `EXISTS (SELECT FROM dispute WHERE dispute.merchant_id = p.merchant_id AND dispute.payment_id = p.id
  AND dispute.state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW'))`;

/** The zone of the days that a search names; `Africa/Lagos` is the workspace's. */
const zone = z
  .string()
  .refine((name) => name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name), 'must be a time zone')
  .default('Africa/Lagos');

/** Payments. Their list has conditions that are looked up first: `paymentList`. */
export const paymentNoun = defineNoun({
  title: 'Payments',
  permission: 'payment:read',
  table: 'payment',
  order: 'time',
  // The day of settlement is looked up only where it is read.
  rows: (merchant) => Prisma.sql`(SELECT p.*, ${settledOn(merchant)} AS settled_on FROM payment AS p)`,
  period: ({ date }) => (date === 'paid' || date === 'settled' ? 'days' : 'created'),
  added: ({ date }) => (date === 'settled' ? ['settled_on'] : []),
  fields: {
    merchant_id: code('The merchant.'),
    created_at: moment('When it was created, in UTC.'),
    payment_id: code('Its id: paymentId in the REST API.', 'p.id'),
    mode: code('test or live.'),
    merchant_order_id: text("The merchant's own order reference."),
    status: oneOf('Its status', PAYMENT_STATUSES),
    amount: amount('The amount of the order, in whole main units.'),
    currency: text('ISO 4217 code of `amount`, `refunded_amount` and `reversed_amount`.'),
    received_amount: decimal('The amount the gateway reports as received, as an exact decimal.', undefined, 'received_currency'),
    received_currency: text('ISO 4217 code of `received_amount`.'),
    fee_amount: decimal("The gateway's fee as an exact decimal; empty where it reports none."),
    refunded_amount: amount('The amount refunded so far, in whole main units.'),
    gateway: code(
      'The gateway that was paid, else the one of the checkout.',
      'COALESCE(p.account_gateway, p.recommended_gateway)',
    ),
    account_id: code('The account that was paid, else the one of the checkout; empty without either.'),
    gateway_reference: text('The reference sent to the gateway.'),
    payment_method: text('The payment method requested.'),
    paid_method: text('The payment method used.'),
    customer_email: text("The customer's e-mail address."),
    customer_id: text("The merchant's own id of the customer."),
    rule_id: text('The routing rule that matched.'),
    late: flag('Whether it was paid after it had been marked FAILED.'),
    failure_reason: code('Why it failed, as a code: session_expired; empty unless `status` is FAILED.'),
    paid_at: moment('When the customer paid, in UTC.'),
    status_changed_at: moment('When the status last changed, in UTC.'),
    review: code('OPEN while a staff user has to decide on what was received, RESOLVED afterwards.'),
    reversed_amount: decimal('What the gateway took back, apart from refunds, as an exact decimal; 0 for nothing.'),
    reversed_at: moment('When it last took money back, in UTC; empty for never.'),
    reversal_cause: code('chargeback: a dispute was lost. gateway: it gives no reason. Empty for neither.'),
    display_status: code(
      'The status as people read it: `status`, or PARTLY_REFUNDED, REVERSED, or EXPIRED where the customer did not pay in time.',
      DISPLAY_STATUS_SQL,
    ),
  },
  moreFields: {
    settled_on: day('The day of the payout that it is in, by the gateway; empty while it is not settled.'),
    merchant: text("The merchant's name.", '(SELECT name FROM merchant WHERE merchant.id = p.merchant_id)'),
    checkout_gateway: code('The gateway whose checkout the customer has, else the one chosen first.', 'p.recommended_gateway'),
    method: text('The payment method used, else the one requested.', 'COALESCE(p.paid_method, p.payment_method)'),
  },
  filter: {
    ...by.timed(),
    statuses: by.anyOf('States.', PAYMENT_STATUSES, isInStatus),
    displayStatuses: by.anyOf('States as people read them.', DISPLAY_STATUSES, isShownAs),
    gateways: by.namesOrNone(
      'Names of gateways: paystack; NONE for payments that none could take.',
      100,
      'p.recommended_gateway',
    ),
    accountIds: by.ids('Accounts that were paid, else whose checkout the customer was given.', 'p.account_id'),
    methods: by.namesOrNone(
      'Method used, else the one requested: CARD; NONE for neither.',
      100,
      `COALESCE(p.paid_method, p.payment_method, '')`,
    ),
    ruleIds: by.namesOrNone(
      'Rules that matched; NONE for none.',
      200,
      (ids) => isOneOf(ids.includes('') ? `COALESCE(p.rule_id, '')` : 'p.rule_id', ids, 'text'),
      'ids',
    ),
    currency: by.field(
      z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be three capital letters')
        .nullable()
        .default(null),
      'ISO 4217 code of their amounts.',
      'text',
      (code) => [Prisma.sql`p.currency = ${code}::bpchar`],
    ),
    amountFrom: by.atLeast('Minimum amount, inclusive.', 'p.amount', 'int8'),
    amountTo: by.atMost('Maximum amount, inclusive.', 'p.amount', 'int8'),
    late: by.whether('Paid after they had been marked FAILED.', 'p.late'),
    underReview: by.eitherOf('Whether under review.', `p.review = 'OPEN'`, `p.review IS DISTINCT FROM 'OPEN'`),
    reversed: by.eitherOf('Whether their gateway took money back.', 'p.reversed_at IS NOT NULL', 'p.reversed_at IS NULL'),
    disputed: by.eitherOf('Whether a dispute is open.', IS_DISPUTED, `NOT ${IS_DISPUTED}`),
    openedAt: by.oneOrNone(
      'The gateway that was paid, else the one that opened the checkout the customer had; NONE for neither.',
      50,
      `COALESCE(p.account_gateway, '')`,
    ),
    fellBackFrom: by.names('Names of gateways that failed to open a checkout, so that another gateway was tried.', 100),
    affectedByIncident: by.ids('Incidents whose fault they met: an account of theirs failed to open a checkout in their time.'),
    incidentOutcomes: by.anyOf('What became of them in these incidents; without an incident none matches.', LISTED_OUTCOMES),
    failureReasons: by.anyOf('Why they failed: session_expired.', FAILURE_REASONS, (reasons) => [
      // The index of failed payments is by one reason; several are picked from the failed ones, newest first.
      ...(reasons.length > 1 ? isInStatus(['FAILED']) : []),
      ...isOneOf('p.failure_reason', reasons, 'text'),
    ]),
    customer: by.words("The customer's e-mail address, in any case, or the merchant's id of the customer.", (customer) => [
      customer.includes('@') ? Prisma.sql`lower(p.customer_email) = lower(${customer})` : Prisma.sql`p.customer_id = ${customer}`,
    ]),
    search: by.words('A text to look up: an id, an order, a customer, an amount with its day.'),
    zone: by.field(zone, 'Time zone of the days that a search names.', 'text'),
    date: by.field(z.enum(PAYMENT_DATES).default('created'), 'The date that `from` and `to` are of.', { oneOf: PAYMENT_DATES }),
    from: by.sinceDay('First day, in Africa/Lagos.'),
    to: by.untilDay('Last day.'),
  },
  where: ({ mode = 'live', date = 'created', from = null, to = null }) => isWithinDays({ mode, date, from, to }),
});

export type PaymentFilter = NounFilter<typeof paymentNoun>;

/** The filter of pages, whose periods are of moments. */
export const paymentFilter = paymentNoun.filter.omit({ date: true, from: true, to: true });

/** The column of unusual statuses has an index, and is in the one that lists are read by. */
function isInStatus(statuses: readonly PaymentStatus[]): Prisma.Sql[] {
  const isUnusual = statuses.every((status) => UNUSUAL_STATUSES.some((unusual) => unusual === status));
  return isOneOf(isUnusual ? 'p.unusual_status' : 'p.status', statuses, 'payment_status');
}

/** Those that are all of what a status is shown as are found by the status. */
function isShownAs(wanted: readonly DisplayStatus[]): Prisma.Sql[] {
  const isWhole = (status: PaymentStatus) =>
    DISPLAY_STATUSES.every((shown) => statusOf(shown) !== status || wanted.includes(shown));
  const whole = [...new Set(wanted.map(statusOf))].filter(isWhole);
  const parts = wanted.filter((shown) => !whole.includes(statusOf(shown))).map(hasDisplayStatus);
  if (parts.length === 0) return isInStatus(whole);
  return [Prisma.sql`(${Prisma.join([...(whole.length === 0 ? [] : isInStatus(whole)), ...parts], ' OR ')})`];
}

import { type DuplicateChargeState, Prisma, type RefundState } from '@switchyard/db/client';
import { defineNoun, type NounFilter } from '@switchyard/nouns';
import { amount, code, decimal, flag, moment, oneOf, text } from '@switchyard/nouns/fields';
import * as by from '@switchyard/nouns/filters';

export const REFUND_STATES = [
  'REQUESTED',
  'PROCESSING',
  'SUCCEEDED',
  'FAILED',
  'NEEDS_ATTENTION',
] as const satisfies readonly RefundState[];

export const refundNoun = defineNoun({
  title: 'Refunds',
  permission: 'payment:read',
  table: 'refund',
  order: 'time',
  fields: {
    merchant_id: code('The merchant.'),
    created_at: moment('When it was requested, in UTC.'),
    refund_id: code('Its id: refundId in the REST API.', 'p.id'),
    mode: code('test or live.'),
    payment_id: code('The refunded payment.'),
    state: oneOf('Its state', REFUND_STATES),
    amount: amount('The amount, in whole main units.'),
    currency: text('ISO 4217.'),
    gateway: code('The gateway that refunds it.'),
    account_id: code('The gateway account that refunds it.'),
    reference: text("The refund's reference sent to the gateway."),
    gateway_refund_id: text("The gateway's own id of the refund."),
    duplicate: flag('Whether it refunds a duplicate charge.'),
    mismatched: flag('Whether it refunds money that did not match the order.'),
    requested_by: code('Who requested it.'),
    reason: text('The reason given.'),
    reason_code: code("The merchant's code of the reason; empty where it keeps none, and for refunds that no person requested."),
    failure_message: text('Failure message.'),
    note: text('Note of the staff user who dismissed it after it failed.'),
    resolved_by: code('Who dismissed it after it failed, or requested another in its place.'),
    resolved_at: moment('When it was dismissed after it failed, or another was requested in its place, in UTC.'),
    updated_at: moment('When it last changed, in UTC.'),
  },
  filter: {
    ...by.timed(),
    states: by.anyOf('States.', REFUND_STATES, ['p.state', 'refund_state']),
    gateways: by.names('Names of gateways.', 100, 'p.gateway'),
    paymentId: by.id('The refunded payment.', 'p.payment_id'),
    search: by.search("Its id or reference, or its payment's id, order or customer's e-mail address.", {
      ids: ['p.id', 'p.payment_id'],
      references: ['p.reference', 'p.gateway_refund_id'],
      ofPayment: true,
    }),
  },
});

export type RefundFilter = NounFilter<typeof refundNoun>;

/** That a refund on `refund AS p` failed, returns the payment's own money, and is not resolved: the condition of a partial index. */
export const IS_UNRESOLVED = Prisma.sql`p.state = 'FAILED' AND NOT p.duplicate AND NOT p.mismatched AND p.resolved_at IS NULL`;

/** States of duplicate charges. */
export const CHARGE_STATES = ['OPEN', 'REFUNDING', 'REFUNDED', 'DISMISSED'] as const satisfies readonly DuplicateChargeState[];

export const duplicateChargeNoun = defineNoun({
  title: 'Duplicate payments',
  permission: 'payment:read',
  table: 'duplicate_charge',
  order: 'time',
  fields: {
    merchant_id: code('The merchant.'),
    created_at: moment('When it was found, in UTC.'),
    duplicate_charge_id: code('Its id.', 'p.id'),
    mode: code('test or live.'),
    payment_id: code('The payment that had already been paid.'),
    state: oneOf('Its state', CHARGE_STATES),
    amount: decimal('The amount received, as an exact decimal.'),
    currency: text('ISO 4217.'),
    gateway: code('The gateway that was charged.'),
    account_id: code('The gateway account that was charged.'),
    reference: text('The reference sent to the gateway.'),
    transaction_id: text("The gateway's own id of the transaction."),
    refund_id: code('The refund of it.'),
    note: text('Note of the staff user who closed it.'),
    resolved_by: code('Who closed it.'),
    resolved_at: moment('When it was resolved, in UTC.'),
  },
  filter: {
    ...by.timed(),
    states: by.anyOf('States.', CHARGE_STATES, ['p.state', 'duplicate_charge_state']),
    gateways: by.names('Names of gateways.', 100, 'p.gateway'),
    paymentId: by.id('The payment that had already been paid.', 'p.payment_id'),
    search: by.search("Its id, reference or transaction id, or its payment's id, order or customer's e-mail address.", {
      ids: ['p.id', 'p.payment_id'],
      references: ['p.reference', 'p.transaction_id'],
      ofPayment: true,
    }),
  },
});

export type DuplicateChargeFilter = NounFilter<typeof duplicateChargeNoun>;

import { decimal, type FileColumn, json, moment, plain } from './file-columns.ts';
import type { FileList } from './list-file.ts';

/*
 * The lists that can be read as files, with their columns over `p`. A cell is empty where there is nothing.
 */

const PAYMENT_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'Whose payment it is.'),
  moment('created_at', 'p.created_at', 'When it was recorded, in UTC.'),
  plain('payment_id', 'p.id', 'Its id: paymentId in the REST API.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('merchant_order_id', 'p.merchant_order_id', "The merchant's own order reference."),
  plain('status', 'p.status', 'INITIATED, PENDING, SUCCESS, FAILED or REFUNDED.'),
  plain('amount', 'p.amount', 'What the customer was to pay, in whole main units.'),
  plain('currency', 'p.currency', 'ISO 4217, of every amount of ours in the row.'),
  decimal('received_amount', 'p.received_amount', 'What the gateway says it received, exactly.'),
  plain('received_currency', 'p.received_currency', 'ISO 4217, of what was received.'),
  decimal('fee_amount', 'p.fee_amount', "The gateway's fee, exactly, where it tells."),
  plain('refunded_amount', 'p.refunded_amount', 'Returned to the customer so far, in whole main units.'),
  plain(
    'gateway',
    'COALESCE(p.account_gateway, p.recommended_gateway)',
    'The gateway that was paid, else the one of the checkout.',
  ),
  plain('account_id', 'p.account_id', 'The account that was paid, else the one of the checkout; empty without either.'),
  plain('gateway_reference', 'p.gateway_reference', 'Our reference at the gateway.'),
  plain('payment_method', 'p.payment_method', 'The method asked for.'),
  plain('paid_method', 'p.paid_method', 'The method the customer used.'),
  plain('customer_email', 'p.customer_email', 'Who pays, as the merchant named them.'),
  plain('customer_id', 'p.customer_id', "The merchant's own id of the customer."),
  plain('rule_id', 'p.rule_id', 'The routing rule that matched.'),
  plain('late', 'p.late', 'Whether it was paid after it had been called failed.'),
  moment('paid_at', 'p.paid_at', 'When the gateway was paid, in UTC.'),
  moment('status_changed_at', 'p.status_changed_at', 'When the status last changed, in UTC.'),
  plain('review', 'p.review', 'OPEN while a person has to decide on what was received, RESOLVED afterwards.'),
];

/** Additional columns as lists show them: included in a file only when named. */
const PAYMENT_LIST_COLUMNS: readonly FileColumn[] = [
  plain('merchant', '(SELECT name FROM merchant WHERE merchant.id = p.merchant_id)', 'Whose payment it is, by name.'),
  plain('checkout_gateway', 'p.recommended_gateway', 'The gateway whose checkout the customer has, else the one chosen first.'),
  plain('method', 'COALESCE(p.paid_method, p.payment_method)', 'The method the customer used, else the one asked for.'),
];

/** Columns and order of an export of payments. */
export const PAYMENT_FILE: FileList = {
  columns: PAYMENT_COLUMNS,
  moreColumns: PAYMENT_LIST_COLUMNS,
  order: 'time',
};

const REFUND_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'Whose refund it is.'),
  moment('created_at', 'p.created_at', 'When it was asked for, in UTC.'),
  plain('refund_id', 'p.id', 'Its id: refundId in the REST API.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('payment_id', 'p.payment_id', 'The payment whose money goes back.'),
  plain('state', 'p.state', 'REQUESTED, PROCESSING, SUCCEEDED, FAILED or NEEDS_ATTENTION.'),
  plain('amount', 'p.amount', 'How much, in whole main units.'),
  plain('currency', 'p.currency', 'ISO 4217.'),
  plain('gateway', 'p.gateway', 'The gateway it goes through.'),
  plain('account_id', 'p.account_id', 'The account it goes through.'),
  plain('reference', 'p.reference', 'Our reference of it.'),
  plain('gateway_refund_id', 'p.gateway_refund_id', "The gateway's own id of it."),
  plain('duplicate', 'p.duplicate', 'Whether it returns money that was charged a second time.'),
  plain('mismatched', 'p.mismatched', 'Whether it returns money that did not match its order.'),
  plain('requested_by', 'p.requested_by', 'Who asked for it.'),
  plain('reason', 'p.reason', 'Why, as given.'),
  plain('failure_message', 'p.failure_message', 'Why it failed.'),
  plain('note', 'p.note', 'What the person who dismissed it after it failed wrote.'),
  plain('resolved_by', 'p.resolved_by', 'Who dismissed it after it failed, or requested another in its place.'),
  moment('resolved_at', 'p.resolved_at', 'When, in UTC.'),
  moment('updated_at', 'p.updated_at', 'When it last changed, in UTC.'),
];

/** Columns and order of an export of refunds. */
export const REFUND_FILE: FileList = { columns: REFUND_COLUMNS, order: 'time' };

const DUPLICATE_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'Whose payment was paid twice.'),
  moment('created_at', 'p.created_at', 'When it was found, in UTC.'),
  plain('duplicate_charge_id', 'p.id', 'Its id.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('payment_id', 'p.payment_id', 'The payment that had been paid.'),
  plain('state', 'p.state', 'OPEN, REFUNDING, REFUNDED or DISMISSED.'),
  decimal('amount', 'p.amount', 'How much came, exactly.'),
  plain('currency', 'p.currency', 'ISO 4217.'),
  plain('gateway', 'p.gateway', 'The gateway that was paid again.'),
  plain('account_id', 'p.account_id', 'The account that was paid again.'),
  plain('reference', 'p.reference', 'Our reference at the gateway.'),
  plain('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  plain('refund_id', 'p.refund_id', 'The refund that gives it back.'),
  plain('note', 'p.note', 'What the person who settled it wrote.'),
  plain('resolved_by', 'p.resolved_by', 'Who settled it.'),
  moment('resolved_at', 'p.resolved_at', 'When, in UTC.'),
];

/** Columns and order of an export of duplicate charges. */
export const DUPLICATE_CHARGE_FILE: FileList = { columns: DUPLICATE_COLUMNS, order: 'time' };

const DISCREPANCY_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'Whose books they are.'),
  moment('created_at', 'p.created_at', 'When it was found, in UTC.'),
  plain('discrepancy_id', 'p.id', 'Its id.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('day', 'p.day', 'The day that was compared.'),
  plain('gateway', 'p.gateway', 'The gateway whose list it is.'),
  plain('account_id', 'p.account_id', 'The account whose day was compared.'),
  plain('kind', 'p.kind', 'MISSING_HERE, MISSING_THERE, STATUS, CURRENCY or AMOUNT.'),
  plain('state', 'p.state', 'OPEN, EXPLAINED or RESOLVED.'),
  plain('payment_id', 'p.payment_id', 'The payment it is about, where we have one.'),
  plain('refund_id', 'p.refund_id', 'The refund it is about, where it is about one.'),
  plain('reference', 'p.reference', 'Our reference at the gateway.'),
  plain('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  json('ledger', 'p.ledger', 'What our books say.'),
  json('statement', 'p.statement', "What the gateway's list says."),
  plain('note', 'p.note', 'What its owner wrote.'),
  plain('resolution', 'p.resolution', 'Why it counts as settled.'),
  moment('resolved_at', 'p.resolved_at', 'When it was, in UTC.'),
];

/** Columns and order of an export of reconciliation discrepancies. */
export const DISCREPANCY_FILE: FileList = {
  columns: DISCREPANCY_COLUMNS,
  order: 'time',
};

const DELIVERY_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'Whose endpoint it goes to.'),
  moment('created_at', 'p.created_at', 'When the event happened, in UTC.'),
  plain('delivery_id', 'p.id', 'Its id.'),
  plain(
    'mode',
    '(SELECT mode FROM webhook_endpoint AS e WHERE e.merchant_id = p.merchant_id AND e.id = p.endpoint_id)',
    'test or live.',
  ),
  plain('endpoint_id', 'p.endpoint_id', 'The endpoint.'),
  plain('event_id', 'p.event_id', 'Id of the event record: webhook-id.'),
  plain('payment_id', 'p.payment_id', 'The payment it tells of.'),
  plain('type', 'p.type', 'Type of the event.'),
  plain('state', 'p.state', 'PENDING, DELIVERED or FAILED.'),
  plain('attempts', 'p.attempts', 'How often it was tried.'),
  plain('last_status', 'p.last_status', 'HTTP status of the last answer.'),
  plain('last_failure', 'p.last_failure', 'Why the last try failed.'),
  moment('delivered_at', 'p.delivered_at', 'When it arrived, in UTC.'),
  moment('updated_at', 'p.updated_at', 'When it last changed, in UTC.'),
];

/** By id: no index orders deliveries by time. */
export const DELIVERY_FILE: FileList = { columns: DELIVERY_COLUMNS, order: 'id' };

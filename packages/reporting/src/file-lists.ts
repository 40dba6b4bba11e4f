import { Prisma } from '@switchyard/db/client';
import { DISPLAY_STATUS_SQL } from './display-status.ts';
import { amount, day, decimal, type FileColumn, flag, json, moment, number, plain } from './file-columns.ts';
import type { FileList } from './list-file.ts';
import { settledOn } from './payment-dates.ts';

/*
 * The lists that can be exported, with their columns over `p`. A null value is an empty cell.
 */

const PAYMENT_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was created, in UTC.'),
  plain('payment_id', 'p.id', 'Its id: paymentId in the REST API.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('merchant_order_id', 'p.merchant_order_id', "The merchant's own order reference."),
  plain('status', 'p.status', 'INITIATED, PENDING, SUCCESS, FAILED or REFUNDED.'),
  amount('amount', 'p.amount', 'The amount of the order, in whole main units.'),
  plain('currency', 'p.currency', 'ISO 4217 code of `amount`, `refunded_amount` and `reversed_amount`.'),
  decimal(
    'received_amount',
    'p.received_amount',
    'The amount the gateway reports as received, as an exact decimal.',
    'received_currency',
  ),
  plain('received_currency', 'p.received_currency', 'ISO 4217 code of `received_amount`.'),
  decimal('fee_amount', 'p.fee_amount', "The gateway's fee as an exact decimal; empty where it reports none."),
  amount('refunded_amount', 'p.refunded_amount', 'The amount refunded so far, in whole main units.'),
  plain(
    'gateway',
    'COALESCE(p.account_gateway, p.recommended_gateway)',
    'The gateway that was paid, else the one of the checkout.',
  ),
  plain('account_id', 'p.account_id', 'The account that was paid, else the one of the checkout; empty without either.'),
  plain('gateway_reference', 'p.gateway_reference', 'The reference sent to the gateway.'),
  plain('payment_method', 'p.payment_method', 'The payment method requested.'),
  plain('paid_method', 'p.paid_method', 'The payment method used.'),
  plain('customer_email', 'p.customer_email', "The customer's e-mail address."),
  plain('customer_id', 'p.customer_id', "The merchant's own id of the customer."),
  plain('rule_id', 'p.rule_id', 'The routing rule that matched.'),
  flag('late', 'p.late', 'Whether it was paid after it had been marked FAILED.'),
  plain('failure_reason', 'p.failure_reason', 'Why it failed, as a code: session_expired; empty unless `status` is FAILED.'),
  moment('paid_at', 'p.paid_at', 'When the customer paid, in UTC.'),
  moment('status_changed_at', 'p.status_changed_at', 'When the status last changed, in UTC.'),
  plain('review', 'p.review', 'OPEN while a staff user has to decide on what was received, RESOLVED afterwards.'),
  decimal(
    'reversed_amount',
    'p.reversed_amount',
    'What the gateway took back, apart from refunds, as an exact decimal; 0 for nothing.',
  ),
  moment('reversed_at', 'p.reversed_at', 'When it last took money back, in UTC; empty for never.'),
  plain('reversal_cause', 'p.reversal_cause', 'chargeback: a dispute was lost. gateway: it gives no reason. Empty for neither.'),
  plain(
    'display_status',
    DISPLAY_STATUS_SQL,
    'The status as people read it: `status`, or PARTLY_REFUNDED, REVERSED, or EXPIRED where the customer did not pay in time.',
  ),
];

const SETTLED_COLUMN = day(
  'settled_on',
  'p.settled_on',
  'The day of the payout that it is in, by the gateway; empty while it is not settled.',
);

/** Additional columns as lists show them: included in a file only when named. */
const PAYMENT_LIST_COLUMNS: readonly FileColumn[] = [
  SETTLED_COLUMN,
  plain('merchant', '(SELECT name FROM merchant WHERE merchant.id = p.merchant_id)', "The merchant's name."),
  plain('checkout_gateway', 'p.recommended_gateway', 'The gateway whose checkout the customer has, else the one chosen first.'),
  plain('method', 'COALESCE(p.paid_method, p.payment_method)', 'The payment method used, else the one requested.'),
];

/** Payments with their day of settlement, which is looked up only where it is read. */
const paymentRows = (merchant: Prisma.Sql) => Prisma.sql`(SELECT p.*, ${settledOn(merchant)} AS settled_on FROM payment AS p)`;

/** Columns and order of an export of payments. */
export const PAYMENT_FILE: FileList = {
  columns: PAYMENT_COLUMNS,
  moreColumns: PAYMENT_LIST_COLUMNS,
  order: 'time',
  rows: paymentRows,
};

/** The same of payments by when they were settled. */
export const SETTLED_PAYMENT_FILE: FileList = {
  ...PAYMENT_FILE,
  columns: [...PAYMENT_COLUMNS, SETTLED_COLUMN],
};

const REFUND_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was requested, in UTC.'),
  plain('refund_id', 'p.id', 'Its id: refundId in the REST API.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('payment_id', 'p.payment_id', 'The refunded payment.'),
  plain('state', 'p.state', 'REQUESTED, PROCESSING, SUCCEEDED, FAILED or NEEDS_ATTENTION.'),
  amount('amount', 'p.amount', 'The amount, in whole main units.'),
  plain('currency', 'p.currency', 'ISO 4217.'),
  plain('gateway', 'p.gateway', 'The gateway that refunds it.'),
  plain('account_id', 'p.account_id', 'The gateway account that refunds it.'),
  plain('reference', 'p.reference', "The refund's reference sent to the gateway."),
  plain('gateway_refund_id', 'p.gateway_refund_id', "The gateway's own id of the refund."),
  flag('duplicate', 'p.duplicate', 'Whether it refunds a duplicate charge.'),
  flag('mismatched', 'p.mismatched', 'Whether it refunds money that did not match the order.'),
  plain('requested_by', 'p.requested_by', 'Who requested it.'),
  plain('reason', 'p.reason', 'The reason given.'),
  plain('reason_code', 'p.reason_code', "The merchant's code of the reason; empty where it keeps none."),
  plain('failure_message', 'p.failure_message', 'Failure message.'),
  plain('note', 'p.note', 'Note of the staff user who dismissed it after it failed.'),
  plain('resolved_by', 'p.resolved_by', 'Who dismissed it after it failed, or requested another in its place.'),
  moment('resolved_at', 'p.resolved_at', 'When it was resolved, in UTC.'),
  moment('updated_at', 'p.updated_at', 'When it last changed, in UTC.'),
];

/** Columns and order of an export of refunds. */
export const REFUND_FILE: FileList = { columns: REFUND_COLUMNS, order: 'time' };

const DUPLICATE_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was found, in UTC.'),
  plain('duplicate_charge_id', 'p.id', 'Its id.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('payment_id', 'p.payment_id', 'The payment that had already been paid.'),
  plain('state', 'p.state', 'OPEN, REFUNDING, REFUNDED or DISMISSED.'),
  decimal('amount', 'p.amount', 'The amount received, as an exact decimal.'),
  plain('currency', 'p.currency', 'ISO 4217.'),
  plain('gateway', 'p.gateway', 'The gateway that was charged.'),
  plain('account_id', 'p.account_id', 'The gateway account that was charged.'),
  plain('reference', 'p.reference', 'The reference sent to the gateway.'),
  plain('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  plain('refund_id', 'p.refund_id', 'The refund of it.'),
  plain('note', 'p.note', 'Note of the staff user who closed it.'),
  plain('resolved_by', 'p.resolved_by', 'Who closed it.'),
  moment('resolved_at', 'p.resolved_at', 'When it was resolved, in UTC.'),
];

/** Columns and order of an export of duplicate charges. */
export const DUPLICATE_CHARGE_FILE: FileList = { columns: DUPLICATE_COLUMNS, order: 'time' };

const DISCREPANCY_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was found, in UTC.'),
  plain('discrepancy_id', 'p.id', 'Its id.'),
  plain('mode', 'p.mode', 'test or live.'),
  day('day', 'p.day', 'The day that was reconciled.'),
  plain('gateway', 'p.gateway', 'The gateway of the statement.'),
  plain('account_id', 'p.account_id', 'The gateway account that was reconciled.'),
  plain('kind', 'p.kind', 'MISSING_HERE, MISSING_THERE, STATUS, CURRENCY or AMOUNT.'),
  plain('state', 'p.state', 'OPEN, EXPLAINED or RESOLVED.'),
  plain('payment_id', 'p.payment_id', 'The payment it is about, where the ledger has one.'),
  plain('refund_id', 'p.refund_id', 'The refund it is about, where it is about one.'),
  plain('reference', 'p.reference', 'The reference sent to the gateway.'),
  plain('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  json('ledger', 'p.ledger', "The ledger's entry."),
  json('statement', 'p.statement', "The statement's entry."),
  plain('note', 'p.note', "The owner's note."),
  plain('resolution', 'p.resolution', 'Reason of the resolution.'),
  moment('resolved_at', 'p.resolved_at', 'When it was resolved, in UTC.'),
];

/** Columns and order of an export of reconciliation discrepancies. */
export const DISCREPANCY_FILE: FileList = {
  columns: DISCREPANCY_COLUMNS,
  order: 'time',
};

const DELIVERY_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When the event happened, in UTC.'),
  plain('delivery_id', 'p.id', 'Its id.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('endpoint_id', 'p.endpoint_id', 'The endpoint.'),
  plain('event_id', 'p.event_id', 'Id of the event record: webhook-id.'),
  plain('payment_id', 'p.payment_id', 'The payment it is about.'),
  plain('type', 'p.type', 'Type of the event.'),
  plain('state', 'p.state', 'PENDING, DELIVERED or FAILED.'),
  number('attempts', 'p.attempts', 'The number of delivery attempts.'),
  number('last_status', 'p.last_status', 'HTTP status of the last response.'),
  plain('last_failure', 'p.last_failure', 'Why the last attempt failed.'),
  moment('delivered_at', 'p.delivered_at', 'When it was delivered, in UTC.'),
  moment('updated_at', 'p.updated_at', 'When it last changed, in UTC.'),
];

/** Deliveries with the mode of their endpoint. */
const DELIVERY_ROWS = Prisma.sql`(SELECT delivery.*, endpoint.mode FROM webhook_delivery AS delivery
  JOIN webhook_endpoint AS endpoint ON endpoint.merchant_id = delivery.merchant_id AND endpoint.id = delivery.endpoint_id)`;

/** By id: no index orders deliveries by time. */
export const DELIVERY_FILE: FileList = { columns: DELIVERY_COLUMNS, order: 'id', rows: () => DELIVERY_ROWS };

const SETTLEMENT_LINE_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was read, in UTC.'),
  plain('line_id', 'p.id', 'Its id.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('settlement_id', 'p.settlement_id', 'The settlement it is in.'),
  plain('settlement_reference', 'p.settlement_reference', "The gateway's own id of the settlement."),
  day('settled_on', 'p.settled_on', 'Day of the payout.'),
  plain('gateway', 'p.gateway', 'The gateway that paid out.'),
  plain('account_id', 'p.account_id', 'The gateway account.'),
  number('position', 'p.position', 'Its place in the settlement, from 0.'),
  plain('kind', 'p.kind', 'PAYMENT, REFUND, FEE, CHARGEBACK, ADJUSTMENT, OTHER or RESIDUE.'),
  decimal('amount', 'p.amount', 'The amount as an exact decimal; negative where it takes off the net amount.'),
  plain('currency', 'p.currency', 'ISO 4217.'),
  plain('reference', 'p.reference', 'The reference that the gateway names.'),
  plain('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  plain('description', 'p.description', "The gateway's own words."),
  moment('occurred_at', 'p.occurred_at', 'When it was paid or refunded, in UTC, as the gateway reports it.'),
  plain('payment_id', 'p.payment_id', 'The payment it is matched with.'),
  plain('merchant_order_id', 'p.merchant_order_id', "The merchant's own order reference of that payment."),
  plain('refund_id', 'p.refund_id', 'The refund it is matched with.'),
  plain('dispute_id', 'p.dispute_id', 'The dispute it is matched with.'),
  plain('linked_by', 'p.linked_by', 'REFERENCE, TRANSACTION, AMOUNT_AND_TIME or STAFF; empty while it is not matched.'),
];

const FEE_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When the payment was created, in UTC.'),
  plain('payment_id', 'p.payment_id', 'The payment.'),
  plain('mode', 'p.mode', 'test or live.'),
  moment('paid_at', 'p.paid_at', 'When it was paid, in UTC.'),
  day('settled_on', 'p.settled_on', 'Day of the payout; empty while it is not settled.'),
  plain('merchant_order_id', 'p.merchant_order_id', "The merchant's own order reference."),
  plain('gateway', 'p.gateway', 'The gateway that charged.'),
  plain('account_id', 'p.account_id', 'The gateway account.'),
  plain('reference', 'p.reference', 'The reference sent to the gateway.'),
  plain('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  plain('settlement_reference', 'p.settlement_reference', "The gateway's own id of the settlement."),
  plain('method', 'p.method', 'How it was paid.'),
  decimal('amount', 'p.amount', 'The amount received, as an exact decimal.'),
  plain('currency', 'p.currency', 'ISO 4217 code of all amounts.'),
  decimal('expected_fee', 'p.expected', 'The fee by contract; empty without one.'),
  decimal('reported_fee', 'p.reported', 'The fee that the gateway reported with the payment; empty where it reports none.'),
  decimal('settled_fee', 'p.settled', 'The fee taken off in settlements; empty while it is not settled.'),
  decimal('charged_fee', 'p.charged', 'The settled fee, else the reported one.'),
  decimal('overcharge', 'p.excess', 'Charged beyond the contract and its tolerance; negative below it.'),
];

/** Fees with what names their payment at the gateway. */
const FEE_ROWS = Prisma.sql`(SELECT fee.*, fee.payment_id AS id, payment.merchant_order_id, attempt.reference, attempt.transaction_id,
    settlement.reference AS settlement_reference
  FROM payment_fee AS fee
  JOIN payment ON payment.merchant_id = fee.merchant_id AND payment.id = fee.payment_id
  LEFT JOIN attempt ON attempt.merchant_id = fee.merchant_id AND attempt.payment_id = fee.payment_id AND attempt.account_id = fee.account_id
    AND attempt.state = 'PAID' AND NOT attempt.duplicate
  LEFT JOIN settlement ON settlement.merchant_id = fee.merchant_id AND settlement.id = fee.settlement_id)`;

/** By payment, in the order in which they were created. */
export const FEE_FILE: FileList = { columns: FEE_COLUMNS, order: 'id', rows: () => FEE_ROWS };
const DISPUTE_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it became known, in UTC.'),
  plain('dispute_id', 'p.id', 'Its id.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('payment_id', 'p.payment_id', 'The disputed payment.'),
  plain('state', 'p.state', 'NEEDS_RESPONSE, UNDER_REVIEW, WON, LOST, ACCEPTED, EXPIRED or CLOSED.'),
  plain('category', 'p.category', "The gateway's word for its kind."),
  plain('stage', 'p.stage', "The gateway's word for how far it got."),
  decimal('amount', 'p.amount', 'The disputed amount as an exact decimal.'),
  plain('currency', 'p.currency', 'ISO 4217.'),
  decimal('fee', 'p.fee', 'What the gateway charges for it, as an exact decimal; empty where it is not known.'),
  plain('gateway', 'p.gateway', 'The gateway.'),
  plain('account_id', 'p.account_id', 'The gateway account.'),
  plain('gateway_dispute_id', 'p.gateway_dispute_id', "The gateway's own id of the dispute."),
  moment('due_at', 'p.due_at', 'Until when it has to be answered, in UTC.'),
  plain('due_source', 'p.due_source', 'GATEWAY, RULE or STAFF: where the due date comes from.'),
  moment('opened_at', 'p.opened_at', 'When it was opened, in UTC.'),
  moment('closed_at', 'p.closed_at', 'When it was decided, in UTC.'),
];

/** Columns and order of an export of disputes. */
export const DISPUTE_FILE: FileList = { columns: DISPUTE_COLUMNS, order: 'time' };

/** Lines with their settlement and the order of their payment. */
const SETTLEMENT_LINE_ROWS = Prisma.sql`(SELECT line.*, settlement.mode, settlement.gateway, settlement.settled_on,
    settlement.reference AS settlement_reference, payment.merchant_order_id
  FROM settlement_line AS line
  JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id
  LEFT JOIN payment ON payment.merchant_id = line.merchant_id AND payment.id = line.payment_id)`;

/** By id: lines are stored in the order of their settlements and positions. */
export const SETTLEMENT_LINE_FILE: FileList = { columns: SETTLEMENT_LINE_COLUMNS, order: 'id', rows: () => SETTLEMENT_LINE_ROWS };

const SETTLEMENT_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it became known, in UTC.'),
  plain('settlement_id', 'p.id', 'Its id.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('gateway', 'p.gateway', 'The gateway that pays out.'),
  plain('account_id', 'p.account_id', 'The gateway account.'),
  plain('reference', 'p.reference', "The gateway's own id of the settlement."),
  plain('status', 'p.status', 'PENDING, PAID or FAILED.'),
  day('settled_on', 'p.settled_on', 'Day of the payout; empty while it is not known.'),
  decimal('gross', 'p.gross', 'The payments in it, as an exact decimal.'),
  decimal('fees', 'p.fees', 'The fees taken off.'),
  decimal('deductions', 'p.deductions', 'What was taken off beside fees: refunds, chargebacks, stamp duty.'),
  decimal('net', 'p.net', 'What is paid out.'),
  plain('currency', 'p.currency', 'ISO 4217 code of all amounts.'),
  number('line_count', 'p.line_count', 'The number of its lines.'),
  decimal('explained', 'p.explained', 'The sum of its matched lines, each without its sign.'),
  decimal('unexplained', 'p.unexplained', 'The same of lines that are not matched, and of the residue.'),
  moment('period_from', 'p.period_from', 'When the first payment in it was paid, in UTC.'),
  moment('period_to', 'p.period_to', 'When the last payment in it was paid, in UTC.'),
  plain('road', 'p.road', 'How it became known.'),
];

/** By id: in the order in which they became known. */
export const SETTLEMENT_FILE: FileList = { columns: SETTLEMENT_COLUMNS, order: 'id' };

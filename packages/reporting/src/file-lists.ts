import { Prisma } from '@switchyard/db/client';
import { DISPLAY_STATUS_SQL } from './display-status.ts';
import { amount, code, day, decimal, type FileColumn, flag, json, moment, number, text } from './file-columns.ts';
import type { FileList } from './list-file.ts';
import { settledOn } from './payment-dates.ts';

/*
 * The lists that can be exported, with their columns over `p`. A null value is an empty cell.
 */

const PAYMENT_COLUMNS: readonly FileColumn[] = [
  code('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was created, in UTC.'),
  code('payment_id', 'p.id', 'Its id: paymentId in the REST API.'),
  code('mode', 'p.mode', 'test or live.'),
  text('merchant_order_id', 'p.merchant_order_id', "The merchant's own order reference."),
  code('status', 'p.status', 'INITIATED, PENDING, SUCCESS, FAILED or REFUNDED.'),
  amount('amount', 'p.amount', 'The amount of the order, in whole main units.'),
  text('currency', 'p.currency', 'ISO 4217 code of `amount`, `refunded_amount` and `reversed_amount`.'),
  decimal(
    'received_amount',
    'p.received_amount',
    'The amount the gateway reports as received, as an exact decimal.',
    'received_currency',
  ),
  text('received_currency', 'p.received_currency', 'ISO 4217 code of `received_amount`.'),
  decimal('fee_amount', 'p.fee_amount', "The gateway's fee as an exact decimal; empty where it reports none."),
  amount('refunded_amount', 'p.refunded_amount', 'The amount refunded so far, in whole main units.'),
  code(
    'gateway',
    'COALESCE(p.account_gateway, p.recommended_gateway)',
    'The gateway that was paid, else the one of the checkout.',
  ),
  code('account_id', 'p.account_id', 'The account that was paid, else the one of the checkout; empty without either.'),
  text('gateway_reference', 'p.gateway_reference', 'The reference sent to the gateway.'),
  text('payment_method', 'p.payment_method', 'The payment method requested.'),
  text('paid_method', 'p.paid_method', 'The payment method used.'),
  text('customer_email', 'p.customer_email', "The customer's e-mail address."),
  text('customer_id', 'p.customer_id', "The merchant's own id of the customer."),
  text('rule_id', 'p.rule_id', 'The routing rule that matched.'),
  flag('late', 'p.late', 'Whether it was paid after it had been marked FAILED.'),
  code('failure_reason', 'p.failure_reason', 'Why it failed, as a code: session_expired; empty unless `status` is FAILED.'),
  moment('paid_at', 'p.paid_at', 'When the customer paid, in UTC.'),
  moment('status_changed_at', 'p.status_changed_at', 'When the status last changed, in UTC.'),
  code('review', 'p.review', 'OPEN while a staff user has to decide on what was received, RESOLVED afterwards.'),
  decimal(
    'reversed_amount',
    'p.reversed_amount',
    'What the gateway took back, apart from refunds, as an exact decimal; 0 for nothing.',
  ),
  moment('reversed_at', 'p.reversed_at', 'When it last took money back, in UTC; empty for never.'),
  code('reversal_cause', 'p.reversal_cause', 'chargeback: a dispute was lost. gateway: it gives no reason. Empty for neither.'),
  code(
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
  text('merchant', '(SELECT name FROM merchant WHERE merchant.id = p.merchant_id)', "The merchant's name."),
  code('checkout_gateway', 'p.recommended_gateway', 'The gateway whose checkout the customer has, else the one chosen first.'),
  text('method', 'COALESCE(p.paid_method, p.payment_method)', 'The payment method used, else the one requested.'),
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
  code('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was requested, in UTC.'),
  code('refund_id', 'p.id', 'Its id: refundId in the REST API.'),
  code('mode', 'p.mode', 'test or live.'),
  code('payment_id', 'p.payment_id', 'The refunded payment.'),
  code('state', 'p.state', 'REQUESTED, PROCESSING, SUCCEEDED, FAILED or NEEDS_ATTENTION.'),
  amount('amount', 'p.amount', 'The amount, in whole main units.'),
  text('currency', 'p.currency', 'ISO 4217.'),
  code('gateway', 'p.gateway', 'The gateway that refunds it.'),
  code('account_id', 'p.account_id', 'The gateway account that refunds it.'),
  text('reference', 'p.reference', "The refund's reference sent to the gateway."),
  text('gateway_refund_id', 'p.gateway_refund_id', "The gateway's own id of the refund."),
  flag('duplicate', 'p.duplicate', 'Whether it refunds a duplicate charge.'),
  flag('mismatched', 'p.mismatched', 'Whether it refunds money that did not match the order.'),
  code('requested_by', 'p.requested_by', 'Who requested it.'),
  text('reason', 'p.reason', 'The reason given.'),
  code('reason_code', 'p.reason_code', "The merchant's code of the reason; empty where it keeps none."),
  text('failure_message', 'p.failure_message', 'Failure message.'),
  text('note', 'p.note', 'Note of the staff user who dismissed it after it failed.'),
  code('resolved_by', 'p.resolved_by', 'Who dismissed it after it failed, or requested another in its place.'),
  moment('resolved_at', 'p.resolved_at', 'When it was resolved, in UTC.'),
  moment('updated_at', 'p.updated_at', 'When it last changed, in UTC.'),
];

/** Columns and order of an export of refunds. */
export const REFUND_FILE: FileList = { columns: REFUND_COLUMNS, order: 'time' };

const DUPLICATE_COLUMNS: readonly FileColumn[] = [
  code('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was found, in UTC.'),
  code('duplicate_charge_id', 'p.id', 'Its id.'),
  code('mode', 'p.mode', 'test or live.'),
  code('payment_id', 'p.payment_id', 'The payment that had already been paid.'),
  code('state', 'p.state', 'OPEN, REFUNDING, REFUNDED or DISMISSED.'),
  decimal('amount', 'p.amount', 'The amount received, as an exact decimal.'),
  text('currency', 'p.currency', 'ISO 4217.'),
  code('gateway', 'p.gateway', 'The gateway that was charged.'),
  code('account_id', 'p.account_id', 'The gateway account that was charged.'),
  text('reference', 'p.reference', 'The reference sent to the gateway.'),
  text('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  code('refund_id', 'p.refund_id', 'The refund of it.'),
  text('note', 'p.note', 'Note of the staff user who closed it.'),
  code('resolved_by', 'p.resolved_by', 'Who closed it.'),
  moment('resolved_at', 'p.resolved_at', 'When it was resolved, in UTC.'),
];

/** Columns and order of an export of duplicate charges. */
export const DUPLICATE_CHARGE_FILE: FileList = { columns: DUPLICATE_COLUMNS, order: 'time' };

const DISCREPANCY_COLUMNS: readonly FileColumn[] = [
  code('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was found, in UTC.'),
  code('discrepancy_id', 'p.id', 'Its id.'),
  code('mode', 'p.mode', 'test or live.'),
  day('day', 'p.day', 'The day that was reconciled.'),
  code('gateway', 'p.gateway', 'The gateway of the statement.'),
  code('account_id', 'p.account_id', 'The gateway account that was reconciled.'),
  code('kind', 'p.kind', 'MISSING_HERE, MISSING_THERE, STATUS, CURRENCY or AMOUNT.'),
  code('state', 'p.state', 'OPEN, EXPLAINED or RESOLVED.'),
  code('payment_id', 'p.payment_id', 'The payment it is about, where the ledger has one.'),
  code('refund_id', 'p.refund_id', 'The refund it is about, where it is about one.'),
  text('reference', 'p.reference', 'The reference sent to the gateway.'),
  text('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  json('ledger', 'p.ledger', "The ledger's entry."),
  json('statement', 'p.statement', "The statement's entry."),
  text('note', 'p.note', "The owner's note."),
  text('resolution', 'p.resolution', 'Reason of the resolution.'),
  moment('resolved_at', 'p.resolved_at', 'When it was resolved, in UTC.'),
];

/** Columns and order of an export of reconciliation discrepancies. */
export const DISCREPANCY_FILE: FileList = {
  columns: DISCREPANCY_COLUMNS,
  order: 'time',
};

const DELIVERY_COLUMNS: readonly FileColumn[] = [
  code('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When the event happened, in UTC.'),
  code('delivery_id', 'p.id', 'Its id.'),
  code('mode', 'p.mode', 'test or live.'),
  code('endpoint_id', 'p.endpoint_id', 'The endpoint.'),
  code('event_id', 'p.event_id', 'Id of the event record: webhook-id.'),
  code('payment_id', 'p.payment_id', 'The payment it is about.'),
  code('type', 'p.type', 'Type of the event.'),
  code('state', 'p.state', 'PENDING, DELIVERED or FAILED.'),
  number('attempts', 'p.attempts', 'The number of delivery attempts.'),
  number('last_status', 'p.last_status', 'HTTP status of the last response.'),
  text('last_failure', 'p.last_failure', 'Why the last attempt failed.'),
  moment('delivered_at', 'p.delivered_at', 'When it was delivered, in UTC.'),
  moment('updated_at', 'p.updated_at', 'When it last changed, in UTC.'),
];

/** Deliveries with the mode of their endpoint. */
const DELIVERY_ROWS = Prisma.sql`(SELECT delivery.*, endpoint.mode FROM webhook_delivery AS delivery
  JOIN webhook_endpoint AS endpoint ON endpoint.merchant_id = delivery.merchant_id AND endpoint.id = delivery.endpoint_id)`;

/** By id: no index orders deliveries by time. */
export const DELIVERY_FILE: FileList = { columns: DELIVERY_COLUMNS, order: 'id', rows: () => DELIVERY_ROWS };

const SETTLEMENT_LINE_COLUMNS: readonly FileColumn[] = [
  code('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was read, in UTC.'),
  code('line_id', 'p.id', 'Its id.'),
  code('mode', 'p.mode', 'test or live.'),
  code('settlement_id', 'p.settlement_id', 'The settlement it is in.'),
  text('settlement_reference', 'p.settlement_reference', "The gateway's own id of the settlement."),
  day('settled_on', 'p.settled_on', 'Day of the payout.'),
  code('gateway', 'p.gateway', 'The gateway that paid out.'),
  code('account_id', 'p.account_id', 'The gateway account.'),
  number('position', 'p.position', 'Its place in the settlement, from 0.'),
  code('kind', 'p.kind', 'PAYMENT, REFUND, FEE, CHARGEBACK, ADJUSTMENT, OTHER or RESIDUE.'),
  decimal('amount', 'p.amount', 'The amount as an exact decimal; negative where it takes off the net amount.'),
  text('currency', 'p.currency', 'ISO 4217.'),
  text('reference', 'p.reference', 'The reference that the gateway names.'),
  text('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  text('description', 'p.description', "The gateway's own words."),
  moment('occurred_at', 'p.occurred_at', 'When it was paid or refunded, in UTC, as the gateway reports it.'),
  code('payment_id', 'p.payment_id', 'The payment it is matched with.'),
  text('merchant_order_id', 'p.merchant_order_id', "The merchant's own order reference of that payment."),
  code('refund_id', 'p.refund_id', 'The refund it is matched with.'),
  code('dispute_id', 'p.dispute_id', 'The dispute it is matched with.'),
  code('linked_by', 'p.linked_by', 'REFERENCE, TRANSACTION, AMOUNT_AND_TIME or STAFF; empty while it is not matched.'),
];

const FEE_COLUMNS: readonly FileColumn[] = [
  code('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When the payment was created, in UTC.'),
  code('payment_id', 'p.payment_id', 'The payment.'),
  code('mode', 'p.mode', 'test or live.'),
  moment('paid_at', 'p.paid_at', 'When it was paid, in UTC.'),
  day('settled_on', 'p.settled_on', 'Day of the payout; empty while it is not settled.'),
  text('merchant_order_id', 'p.merchant_order_id', "The merchant's own order reference."),
  code('gateway', 'p.gateway', 'The gateway that charged.'),
  code('account_id', 'p.account_id', 'The gateway account.'),
  text('reference', 'p.reference', 'The reference sent to the gateway.'),
  text('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  text('settlement_reference', 'p.settlement_reference', "The gateway's own id of the settlement."),
  text('method', 'p.method', 'How it was paid.'),
  decimal('amount', 'p.amount', 'The amount received, as an exact decimal.'),
  text('currency', 'p.currency', 'ISO 4217 code of all amounts.'),
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
  code('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it became known, in UTC.'),
  code('dispute_id', 'p.id', 'Its id.'),
  code('mode', 'p.mode', 'test or live.'),
  code('payment_id', 'p.payment_id', 'The disputed payment; empty of one that is not in the ledger.'),
  code('state', 'p.state', 'NEEDS_RESPONSE, UNDER_REVIEW, WON, LOST, ACCEPTED, EXPIRED or CLOSED.'),
  text('category', 'p.category', "The gateway's word for its kind."),
  text('stage', 'p.stage', "The gateway's word for how far it got."),
  decimal('amount', 'p.amount', 'The disputed amount as an exact decimal.'),
  decimal('taken_back', 'p.taken_back', 'What it took back of its payment: no more than was left, 0 while it is not lost.'),
  text('currency', 'p.currency', 'ISO 4217.'),
  decimal('fee', 'p.fee', 'What the gateway charges for it, as an exact decimal; empty where it is not known.'),
  code('gateway', 'p.gateway', 'The gateway.'),
  code('account_id', 'p.account_id', 'The gateway account.'),
  text('gateway_dispute_id', 'p.gateway_dispute_id', "The gateway's own id of the dispute."),
  text('reference', 'p.reference', "The disputed payment's reference at the gateway."),
  text('transaction_id', 'p.transaction_id', "The gateway's own id of its transaction."),
  moment('due_at', 'p.due_at', 'Until when it has to be answered, in UTC.'),
  code('due_source', 'p.due_source', 'GATEWAY, RULE or STAFF: where the due date comes from.'),
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
  code('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it became known, in UTC.'),
  code('settlement_id', 'p.id', 'Its id.'),
  code('mode', 'p.mode', 'test or live.'),
  code('gateway', 'p.gateway', 'The gateway that pays out.'),
  code('account_id', 'p.account_id', 'The gateway account.'),
  text('reference', 'p.reference', "The gateway's own id of the settlement."),
  code('status', 'p.status', 'PENDING, PAID or FAILED.'),
  day('settled_on', 'p.settled_on', 'Day of the payout; empty while it is not known.'),
  decimal('gross', 'p.gross', 'The payments in it, as an exact decimal.'),
  decimal('fees', 'p.fees', 'The fees taken off.'),
  decimal('deductions', 'p.deductions', 'What was taken off beside fees: refunds, chargebacks, stamp duty.'),
  decimal('net', 'p.net', 'What is paid out.'),
  text('currency', 'p.currency', 'ISO 4217 code of all amounts.'),
  number('line_count', 'p.line_count', 'The number of its lines.'),
  decimal('explained', 'p.explained', 'The sum of its matched lines, each without its sign.'),
  decimal('unexplained', 'p.unexplained', 'The same of lines that are not matched, and of the residue.'),
  moment('period_from', 'p.period_from', 'When the first payment in it was paid, in UTC.'),
  moment('period_to', 'p.period_to', 'When the last payment in it was paid, in UTC.'),
  code('road', 'p.road', 'How it became known.'),
];

/** By id: in the order in which they became known. */
export const SETTLEMENT_FILE: FileList = { columns: SETTLEMENT_COLUMNS, order: 'id' };

const SETTLEMENT_DISCREPANCY_COLUMNS: readonly FileColumn[] = [
  code('merchant_id', 'p.merchant_id', 'The merchant.'),
  moment('created_at', 'p.created_at', 'When it was found, in UTC.'),
  code('discrepancy_id', 'p.id', 'Its id.'),
  code('mode', 'p.mode', 'test or live.'),
  code('gateway', 'p.gateway', 'The gateway.'),
  code('account_id', 'p.account_id', 'The gateway account.'),
  code(
    'about',
    'p.about',
    'payment, duplicate, refund, reversal, dispute, fee or line of a payout; payout or bank of a bank statement; status.',
  ),
  code('kind', 'p.kind', 'LATE, MISSING, OVER, UNDER, UNMATCHED or OVERCHARGED.'),
  code('state', 'p.state', 'OPEN, EXPLAINED or RESOLVED.'),
  decimal(
    'amount',
    'abs(coalesce(p.settled, 0) - coalesce(p.expected, 0))',
    'The amount in question, without a sign: the difference where something was settled, else the whole.',
  ),
  decimal(
    'expected',
    'p.expected',
    'The net amount expected, or the fee by contract, as an exact decimal; empty of what was not expected.',
  ),
  decimal('settled', 'p.settled', 'The net amount settled or at the bank, or the fee charged; empty where nothing was.'),
  text('currency', 'p.currency', 'ISO 4217 code of all amounts.'),
  day('expected_on', 'p.expected_on', 'The day on which it was expected; empty of what was not expected.'),
  code('settlement_id', 'p.settlement_id', 'The settlement that it was found in.'),
  text('settlement_reference', 'p.settlement_reference', "The gateway's own id of the settlement."),
  day('settled_on', 'p.settled_on', 'Day of its payout.'),
  code('line_id', 'p.line_id', 'The line of the settlement.'),
  code('line_kind', 'p.line_kind', 'PAYMENT, REFUND, FEE, CHARGEBACK, ADJUSTMENT, OTHER or RESIDUE.'),
  text('reference', 'p.reference', 'The reference that the gateway names, or was sent.'),
  text('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  code('payment_id', 'p.payment_id', 'The payment it is about.'),
  text('merchant_order_id', 'p.merchant_order_id', "The merchant's own order reference of that payment."),
  code('refund_id', 'p.refund_id', 'The refund it is about.'),
  code('dispute_id', 'p.dispute_id', 'The dispute it is about.'),
  day('booked_on', 'p.booked_on', 'Of a credit at the bank: the day on which the bank booked it.'),
  text('bank_account', 'p.bank_account', 'The account that it was booked to, as the bank names it.'),
  text('bank_text', 'p.bank_text', "The bank's own words."),
  code('owner_id', 'p.owner_id', 'The staff user it is assigned to.'),
  text('note', 'p.note', "The owner's note."),
  code('resolved_by', 'p.resolved_by', 'Who closed it.'),
  moment('resolved_at', 'p.resolved_at', 'When it was closed, in UTC.'),
  text('resolution', 'p.resolution', 'Why it was closed.'),
];

/** Discrepancies with what names them at the gateway, in the ledger and at the bank. */
const settlementDiscrepancyRows = (
  merchant: Prisma.Sql,
) => Prisma.sql`(SELECT found.*, split_part(found.subject, '/', 1) AS about, settlement.reference AS settlement_reference,
    settlement.settled_on, line.kind AS line_kind, coalesce(line.reference, attempt.reference) AS reference,
    coalesce(line.transaction_id, attempt.transaction_id) AS transaction_id, payment.merchant_order_id, bank.booked_on, bank.bank_account,
    bank.text AS bank_text
  FROM settlement_discrepancy AS found
  LEFT JOIN settlement ON settlement.merchant_id = found.merchant_id AND settlement.id = found.settlement_id
  LEFT JOIN settlement_line AS line ON line.merchant_id = found.merchant_id AND line.id = found.line_id
  LEFT JOIN payment ON payment.merchant_id = found.merchant_id AND payment.id = found.payment_id
  LEFT JOIN LATERAL (SELECT paid.reference, paid.transaction_id FROM attempt AS paid
    WHERE paid.merchant_id = ${merchant} AND paid.payment_id = found.payment_id AND paid.account_id = found.account_id
      AND paid.state = 'PAID' ORDER BY paid.duplicate, paid.position LIMIT 1) AS attempt ON found.line_id IS NULL
  LEFT JOIN bank_line AS bank ON bank.merchant_id = found.merchant_id
    AND bank.id = CASE WHEN starts_with(found.subject, 'bank/') THEN split_part(found.subject, '/', 2)::uuid END)`;

/** By id: in the order in which they were found. */
export const SETTLEMENT_DISCREPANCY_FILE: FileList = {
  columns: SETTLEMENT_DISCREPANCY_COLUMNS,
  order: 'id',
  rows: settlementDiscrepancyRows,
};

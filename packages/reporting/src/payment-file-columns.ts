import { decimal, type FileColumn, moment, plain } from './file-columns.ts';

/** The columns of a file of payments over `p`, the payment. Empty where there is nothing. */
export const PAYMENT_FILE_COLUMNS: readonly FileColumn[] = [
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
export const PAYMENT_LIST_COLUMNS: readonly FileColumn[] = [
  plain('merchant', '(SELECT name FROM merchant WHERE merchant.id = p.merchant_id)', 'Whose payment it is, by name.'),
  plain('checkout_gateway', 'p.recommended_gateway', 'The gateway whose checkout the customer has, else the one chosen first.'),
  plain('method', 'COALESCE(p.paid_method, p.payment_method)', 'The method the customer used, else the one asked for.'),
];

import { type FileColumn, free, own } from './file-columns.ts';

/** The columns of a file of payments over `p`, the payment. Empty where there is nothing. */
export const PAYMENT_FILE_COLUMNS: readonly FileColumn[] = [
  own('merchant_id', 'p.merchant_id', 'Whose payment it is.'),
  own('created_at', 'p.created_at', 'When it was recorded, in UTC.'),
  own('payment_id', 'p.id', 'Its id: paymentId in the REST API.'),
  own('mode', 'p.mode', 'test or live.'),
  free('merchant_order_id', 'p.merchant_order_id', "The merchant's own order reference."),
  own('status', 'p.status', 'INITIATED, PENDING, SUCCESS, FAILED or REFUNDED.'),
  own('amount', 'p.amount', 'What the customer was to pay, in whole main units.'),
  own('currency', 'p.currency', 'ISO 4217, of every amount of ours in the row.'),
  own('received_amount', 'p.received_amount', 'What the gateway says it received, exactly.'),
  own('received_currency', 'p.received_currency', 'ISO 4217, of what was received.'),
  own('fee_amount', 'p.fee_amount', "The gateway's fee, exactly, where it tells."),
  own('refunded_amount', 'p.refunded_amount', 'Returned to the customer so far, in whole main units.'),
  free(
    'gateway',
    'COALESCE(p.account_gateway, p.recommended_gateway)',
    'The gateway that was paid, else the one of the checkout.',
  ),
  own('account_id', 'p.account_id', 'The account that was paid, else the one of the checkout; empty without either.'),
  free('gateway_reference', 'p.gateway_reference', 'Our reference at the gateway.'),
  free('payment_method', 'p.payment_method', 'The method asked for.'),
  free('paid_method', 'p.paid_method', 'The method the customer used.'),
  free('customer_email', 'p.customer_email', 'Who pays, as the merchant named them.'),
  free('customer_id', 'p.customer_id', "The merchant's own id of the customer."),
  free('rule_id', 'p.rule_id', 'The routing rule that matched.'),
  own('late', 'p.late', 'Whether it was paid after it had been called failed.'),
  own('paid_at', 'p.paid_at', 'When the gateway was paid, in UTC.'),
  own('status_changed_at', 'p.status_changed_at', 'When the status last changed, in UTC.'),
  own('review', 'p.review', 'OPEN while a person has to decide on what was received, RESOLVED afterwards.'),
];

/** What lists show beside these, as they show it: in a file only where it is asked for by name. */
export const PAYMENT_LIST_COLUMNS: readonly FileColumn[] = [
  free('merchant', '(SELECT name FROM merchant WHERE merchant.id = p.merchant_id)', 'Whose payment it is, by name.'),
  free('checkout_gateway', 'p.recommended_gateway', 'The gateway whose checkout the customer has, else the one chosen first.'),
  free('method', 'COALESCE(p.paid_method, p.payment_method)', 'The method the customer used, else the one asked for.'),
];

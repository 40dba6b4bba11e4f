interface Column {
  readonly name: string;
  /** What the column holds, for whoever reads the file. */
  readonly about: string;
  /** Over `p`, the payment, and `a`, its account's attempt. Texts others chose may hold anything; the rest is of our making. */
  readonly sql: string;
  readonly free: boolean;
}

const moment = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const ours = (name: string, sql: string, about: string): Column => ({ name, sql, about, free: false });
const free = (name: string, sql: string, about: string): Column => ({ name, sql, about, free: true });

const COLUMNS: readonly Column[] = [
  ours('merchant_id', 'p.merchant_id', 'Whose payment it is.'),
  ours('created_at', moment('p.created_at'), 'When it was recorded, in UTC.'),
  ours('payment_id', 'p.id', 'Its id: paymentId in the REST API.'),
  ours('mode', 'p.mode', 'test or live.'),
  free('merchant_order_id', 'p.merchant_order_id', "The merchant's own order reference."),
  ours('status', 'p.status', 'INITIATED, PENDING, SUCCESS, FAILED or REFUNDED.'),
  ours('amount', 'p.amount', 'What the customer was to pay, in whole main units.'),
  ours('currency', 'p.currency', 'ISO 4217, of every amount of ours in the row.'),
  ours('received_amount', 'trim_scale(p.received_amount)', 'What the gateway says it received, exactly.'),
  ours('received_currency', 'p.received_currency', 'ISO 4217, of what was received.'),
  ours('fee_amount', 'trim_scale(p.fee_amount)', "The gateway's fee, exactly, where it tells."),
  ours('refunded_amount', 'p.refunded_amount', 'Returned to the customer so far, in whole main units.'),
  free('gateway', 'COALESCE(a.gateway, p.recommended_gateway)', 'The gateway that was paid, else the one of the checkout.'),
  ours('account_id', 'a.account_id', 'The account that was paid, else the one of the checkout; empty without either.'),
  free('gateway_reference', 'p.gateway_reference', 'Our reference at the gateway.'),
  free('payment_method', 'p.payment_method', 'The method asked for.'),
  free('paid_method', 'p.paid_method', 'The method the customer used.'),
  free('customer_email', 'p.customer_email', 'Who pays, as the merchant named them.'),
  free('customer_id', 'p.customer_id', "The merchant's own id of the customer."),
  free('rule_id', 'p.rule_id', 'The routing rule that matched.'),
  ours('late', 'p.late', 'Whether it was paid after it had been called failed.'),
  ours('paid_at', moment('p.paid_at'), 'When the gateway was paid, in UTC.'),
  ours('status_changed_at', moment('p.status_changed_at'), 'When the status last changed, in UTC.'),
];

/** The columns of a file of payments, in order, and what they hold. Empty where there is nothing. */
export const PAYMENT_FILE_COLUMNS: readonly Pick<Column, 'name' | 'about'>[] = COLUMNS;

/** The first line of a file of comma-separated values. */
export const CSV_HEADER = `${COLUMNS.map(({ name }) => name).join(',')}\r\n`;

/** What programs for spreadsheets take for a formula when a cell begins with it; full-width forms among them. */
const FORMULA = String.raw`E'^[=+@\\t\\r\\n＝＋－＠-]'`;

function csvCell({ sql, free: anything }: Column): string {
  if (!anything) return `COALESCE((${sql})::text, '')`;
  const text = `replace(${sql}, '"', '""')`;
  return `CASE WHEN ${sql} IS NULL THEN '' WHEN ${sql} ~ ${FORMULA} THEN '"''' || ${text} || '"' ELSE '"' || ${text} || '"' END`;
}

/** A line by RFC 4180; a text that looks like a formula has an apostrophe before it. */
export const CSV_LINE = `${COLUMNS.map(csvCell).join(` || ',' || `)} || E'\\r\\n'`;

/** A line of JSON, with the columns' names as keys; sums of our own are numbers, those of gateways texts. */
export const JSON_LINE = `json_build_object(${COLUMNS.map(jsonCell).join(', ')})::text || E'\\n'`;

function jsonCell({ name, sql }: Column): string {
  return `'${name}', ${sql.startsWith('trim_scale') ? `${sql}::text` : sql}`;
}

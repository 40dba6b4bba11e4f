import type { DrawnRow } from '@switchyard/db/testing';
import type { Switchyard } from '../process.ts';

const amountOf = (side: string) => `substring(d.${side}->>'amount' FROM '^[0-9.]+$')::numeric`;
const [OURS, THEIRS] = [amountOf('ledger'), amountOf('statement')];
/** By how much amounts differ, else the amount of the statement, else ours. */
const IN_QUESTION = `CASE WHEN d.kind = 'AMOUNT' AND d.ledger IS NOT NULL AND d.statement IS NOT NULL THEN abs(${THEIRS} - ${OURS})
  ELSE coalesce(${THEIRS}, ${OURS}, 0) END`;

const PAYMENTS = `SELECT p.*, p.id AS payment_id, m.name AS merchant_name, m.merchant_number, a.label AS account_label,
  CASE WHEN p.status = 'SUCCESS' AND p.reversed_at IS NOT NULL THEN 'REVERSED'
    WHEN p.status = 'SUCCESS' AND p.refunded_amount > 0 THEN 'PARTLY_REFUNDED'
    WHEN p.status = 'FAILED' AND p.failure_reason = 'session_expired' THEN 'EXPIRED' ELSE p.status::text END AS display_status,
  CASE WHEN p.paid_attempt_id IS NOT NULL OR p.current_attempt_id IS NOT NULL THEN p.account_gateway ELSE p.recommended_gateway END
    AS paid_gateway,
  CASE WHEN p.paid_method IS NULL THEN p.payment_method ELSE p.paid_method END AS used_method,
  coalesce(p.review = 'OPEN', false) AS is_under_review,
    CASE p.status WHEN 'SUCCESS' THEN 'succeeded' WHEN 'FAILED' THEN 'failed' WHEN 'REFUNDED' THEN 'refunded' ELSE 'processing' END
      AS execution_status,
  (SELECT count(*) FROM attempt WHERE attempt.payment_id = p.id) AS attempt_count,
  (SELECT max(s.settled_on) FROM settlement_line AS l JOIN settlement AS s ON s.id = l.settlement_id
    WHERE l.payment_id = p.id AND l.kind = 'PAYMENT' AND s.status = 'PAID') AS settled_on,
  EXISTS (SELECT FROM dispute WHERE dispute.payment_id = p.id AND dispute.state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW')) AS is_disputed,
  ARRAY(SELECT failed.gateway FROM attempt AS failed WHERE failed.payment_id = p.id AND failed.failure_class IS NOT NULL
    AND EXISTS (SELECT FROM attempt AS tried WHERE tried.payment_id = p.id AND tried.position > failed.position
      AND tried.gateway <> failed.gateway)) AS fell_back_from,
  ARRAY(SELECT met.incident_id FROM incident_account AS met JOIN attempt AS failed ON failed.account_id = met.account_id
    WHERE failed.payment_id = p.id AND failed.failure_class = 'provider_fault' AND failed.created_at >= met.met_from
      AND (met.met_until IS NULL OR failed.created_at < met.met_until)) AS met_incidents
  FROM payment AS p JOIN merchant AS m ON m.id = p.merchant_id LEFT JOIN gateway_account AS a ON a.id = p.account_id`;

/**
 * The rows of each list, as SQL of its own: a row has every value under the name of its column, and what is computed or joined under a name of
 * the forms' own. It is written without a look at how the product reads it.
 */
export const NOUNS = {
  payment: PAYMENTS,
  /** Payments that a person has to decide on. */
  review: `SELECT * FROM (${PAYMENTS}) AS reviewed WHERE review = 'OPEN'`,
  refund: `SELECT r.*, r.id AS refund_id, CASE r.state WHEN 'SUCCEEDED' THEN 'SUCCESS' WHEN 'REQUESTED' THEN 'PENDING' WHEN 'PROCESSING' THEN 'PENDING' ELSE r.state::text END
      AS public_status, CASE WHEN r.state IN ('FAILED', 'NEEDS_ATTENTION') THEN r.failure_message END AS public_failure, p.merchant_order_id, p.customer_email, p.amount AS payment_amount, a.label AS account_label
    FROM refund AS r JOIN payment AS p ON p.id = r.payment_id JOIN gateway_account AS a ON a.id = r.account_id`,
  refundApproval: `SELECT r.*, r.id AS approval_id, CASE WHEN r.state = 'WAITING' AND r.expires_at <= now() THEN 'EXPIRED'
      ELSE r.state::text END AS current_state, p.merchant_order_id, p.customer_email, p.amount AS payment_amount
    FROM refund_approval AS r JOIN payment AS p ON p.id = r.payment_id`,
  duplicateCharge: `SELECT d.*, d.id AS duplicate_charge_id, p.merchant_order_id, p.customer_email, p.status AS payment_status, a.label AS account_label,
    (SELECT failure_message FROM refund WHERE refund.id = d.refund_id) AS failure_message
    FROM duplicate_charge AS d JOIN payment AS p ON p.id = d.payment_id JOIN gateway_account AS a ON a.id = d.account_id`,
  discrepancy: `SELECT d.*, d.id AS discrepancy_id, 'statement' AS source, a.label AS account_label, m.name AS merchant_name,
    CASE WHEN d.refund_id IS NULL THEN 'payment' ELSE 'refund' END AS about, ${IN_QUESTION} AS amount_in_question,
    d.kind = 'AMOUNT' AND ${IN_QUESTION} <= coalesce((SELECT tolerance FROM reconciliation_setting AS s WHERE s.merchant_id = d.merchant_id), 0)
      AS is_within_tolerance
    FROM reconciliation_discrepancy AS d JOIN gateway_account AS a ON a.id = d.account_id JOIN merchant AS m ON m.id = d.merchant_id`,
  dispute: `SELECT d.*, d.id AS dispute_id, lower(d.state::text) AS public_state, a.label AS account_label, m.name AS merchant_name,
    p.merchant_order_id, p.customer_email
    FROM dispute AS d JOIN gateway_account AS a ON a.id = d.account_id JOIN merchant AS m ON m.id = d.merchant_id
    LEFT JOIN payment AS p ON p.id = d.payment_id`,
  settlement: `SELECT s.*, s.id AS settlement_id, a.label AS account_label, m.name AS merchant_name,
    (SELECT count(*) FROM settlement_discrepancy AS f WHERE f.settlement_id = s.id AND f.state = 'OPEN') AS open_discrepancies,
    (SELECT coalesce(sum(l.amount), 0) FROM settlement_line AS l WHERE l.settlement_id = s.id AND l.linked_by IS NULL) AS unmatched,
    ARRAY(SELECT unnest(ARRAY[l.reference, l.transaction_id]) FROM settlement_line AS l WHERE l.settlement_id = s.id) AS line_references
    FROM settlement AS s JOIN gateway_account AS a ON a.id = s.account_id JOIN merchant AS m ON m.id = s.merchant_id`,
  settlementLine: `SELECT l.*, l.id AS line_id, s.mode, s.gateway, s.settled_on, s.reference AS settlement_reference, p.merchant_order_id,
    l.linked_by IS NOT NULL AS is_matched
    FROM settlement_line AS l JOIN settlement AS s ON s.id = l.settlement_id LEFT JOIN payment AS p ON p.id = l.payment_id`,
  settlementDiscrepancy: `SELECT f.*, f.id AS discrepancy_id,
    CASE WHEN f.subject LIKE 'bank/%' OR f.subject LIKE 'payout/%' THEN 'bank' ELSE 'payout' END AS source, a.label AS account_label, m.name AS merchant_name,
    substring(f.subject from '^[a-z]+') AS about, abs(coalesce(f.settled, 0) - coalesce(f.expected, 0)) AS amount,
    s.reference AS settlement_reference, s.settled_on, l.kind AS line_kind, l.reference, l.transaction_id, p.merchant_order_id,
    b.booked_on, b.bank_account, b.text AS bank_text,
    ARRAY(SELECT unnest(ARRAY[t.reference, t.transaction_id]) FROM attempt AS t WHERE t.payment_id = f.payment_id) AS "references"
    FROM settlement_discrepancy AS f JOIN gateway_account AS a ON a.id = f.account_id JOIN merchant AS m ON m.id = f.merchant_id
    LEFT JOIN settlement AS s ON s.id = f.settlement_id LEFT JOIN settlement_line AS l ON l.id = f.line_id
    LEFT JOIN payment AS p ON p.id = f.payment_id LEFT JOIN bank_line AS b ON f.subject = 'bank/' || b.id`,
  fee: `SELECT f.*, f.payment_id AS id, a.label AS account_label, m.name AS merchant_name, p.merchant_order_id, t.reference, t.transaction_id,
    s.reference AS settlement_reference
    FROM payment_fee AS f JOIN gateway_account AS a ON a.id = f.account_id JOIN merchant AS m ON m.id = f.merchant_id
    JOIN payment AS p ON p.id = f.payment_id JOIN attempt AS t
      ON t.payment_id = f.payment_id AND t.state = 'PAID' AND t.account_id = f.account_id
    LEFT JOIN settlement AS s ON s.id = f.settlement_id`,
  delivery: `SELECT d.*, d.id AS delivery_id, e.mode, e.url AS endpoint_url
    FROM webhook_delivery AS d JOIN webhook_endpoint AS e ON e.id = d.endpoint_id`,
  apiRequest: `SELECT r.*, r.id AS api_request_id, m.name AS merchant_name, k.name AS key_name
    FROM api_request AS r JOIN merchant AS m ON m.id = r.merchant_id LEFT JOIN api_key AS k ON k.id = r.key_id`,
  bankStatement: 'SELECT * FROM bank_statement',
  bankLine: `SELECT b.*, EXISTS (SELECT FROM bank_match AS m WHERE m.bank_line_id = b.id) AS is_matched FROM bank_line AS b`,
  settlementFile: `SELECT f.*, a.label AS account_label, a.gateway FROM settlement_file AS f JOIN gateway_account AS a ON a.id = f.account_id`,
  event: 'SELECT * FROM merchant_event',
  closedIncident: 'SELECT * FROM incident WHERE closed_at IS NOT NULL',
  gatewayWebhook: `SELECT w.*, w.id AS webhook_id, a.mode, CASE WHEN EXISTS (SELECT FROM webhook_follow_up AS due WHERE due.webhook_id = w.id) THEN 'RECEIVED'
      ELSE w.state::text END AS counted_state
    FROM gateway_webhook AS w JOIN gateway_account AS a ON a.id = w.account_id`,
  /** The log has no modes. Other actors than staff are named as they are recorded. */
  auditEntry: `SELECT e.*, e.id AS entry_id, e.tenant_id AS merchant_id, m.name AS merchant_name, coalesce(s.name, e.actor) AS actor_name,
    'test'::mode AS mode
    FROM audit_entry AS e LEFT JOIN merchant AS m ON m.id = e.tenant_id LEFT JOIN staff_user AS s ON e.actor = 'staff:' || s.id`,
  notification: `SELECT n.*, 'test'::mode AS mode FROM notification AS n`,
  reconciliationRun: 'SELECT * FROM reconciliation_run',
} as const;

/** A noun that lists show. */
export type Noun = keyof typeof NOUNS;

/** The rows of a noun in a mode, of all merchants, by their ids. */
export async function rowsOf(
  { resources }: Switchyard,
  noun: Noun,
  mode: 'test' | 'live',
): Promise<ReadonlyMap<string, DrawnRow>> {
  const text = `SELECT to_jsonb(listed) AS row FROM (${NOUNS[noun]}) AS listed WHERE listed.mode = $1::mode`;
  const { rows } = await resources.database.pool.query<{ row: DrawnRow }>(text, [mode]);
  return new Map(rows.map(({ row }) => [String(row.id), row]));
}

const NUMBER = /^-?\d+(\.\d+)?$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** A value as text that is the same in every form: decimals without zeros at their end, moments in UTC, nothing as null. */
export function plain(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (value instanceof Date) return plain(value.toISOString());
  if (typeof value === 'object') return JSON.stringify(sorted(value));
  const text = String(value);
  if (text.startsWith('{')) return JSON.stringify(sorted(JSON.parse(text)));
  if (NUMBER.test(text)) return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  // Text of a workbook, whose days are moments.
  return MOMENT.test(text) ? new Date(text).toISOString().replace('T00:00:00.000Z', '') : text;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}

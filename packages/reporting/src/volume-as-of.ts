/**
 * Payments in their state at a past moment, shaped as change records: by the last status change, the completed refunds and the last reversal up to then.
 * Read from the payments themselves, so that the same query always has the same result.
 */
export function paymentsAsOf(
  scope: { readonly merchants: string; readonly mode: string },
  { asOf, from, to }: { readonly asOf: string; readonly from: string; readonly to: string },
): string {
  return `
  SELECT p.created_at, p.merchant_id, COALESCE(p.account_id, '00000000-0000-0000-0000-000000000000'::uuid) AS account_id,
    COALESCE(p.account_gateway, '') AS gateway, COALESCE(p.paid_method, p.payment_method, '') AS method, COALESCE(p.rule_id, '') AS rule_id,
    then_at.status, 1 AS payments, p.amount, p.mode, p.currency,
    CASE WHEN then_at.status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(p.fee_amount, 0) ELSE 0 END AS fees,
    COALESCE((SELECT sum(r.amount) FROM refund AS r WHERE r.merchant_id = p.merchant_id AND r.payment_id = p.id
      AND r.state = 'SUCCEEDED' AND NOT r.duplicate AND NOT r.mismatched AND r.updated_at <= ${asOf}::timestamptz), 0) AS refunded,
    COALESCE((SELECT (t.detail->>'total')::numeric FROM timeline_event AS t WHERE t.merchant_id = p.merchant_id AND t.payment_id = p.id
      AND t.type IN ('payment.reversed', 'payment.reinstated') AND t.created_at <= ${asOf}::timestamptz
      ORDER BY t.created_at DESC, t.id DESC LIMIT 1), 0) AS reversed,
    CASE WHEN p.late AND then_at.status = 'SUCCESS' THEN 1 ELSE 0 END AS late,
    CASE WHEN then_at.status = 'FAILED' AND then_at.reason = 'session_expired' THEN 1 ELSE 0 END AS expired
  FROM payment AS p
  LEFT JOIN LATERAL (
    SELECT t.to_status AS status, t.detail->>'reason' AS reason FROM timeline_event AS t
    WHERE t.merchant_id = p.merchant_id AND t.payment_id = p.id AND t.to_status <> 'INITIATED' AND t.created_at <= ${asOf}::timestamptz
    ORDER BY t.created_at DESC, t.id DESC LIMIT 1) AS changed ON true
  LEFT JOIN LATERAL (
    SELECT 'PENDING'::payment_status AS status FROM attempt AS a
    WHERE a.merchant_id = p.merchant_id AND a.payment_id = p.id AND a.opened_at <= ${asOf}::timestamptz LIMIT 1) AS opened ON true
  CROSS JOIN LATERAL (SELECT COALESCE(changed.status, opened.status) AS status, changed.reason) AS then_at
  WHERE p.merchant_id = ANY (${scope.merchants}::uuid[]) AND p.mode = ${scope.mode}::mode AND then_at.status IS NOT NULL
    AND p.created_at >= ${from}::timestamptz AND p.created_at < LEAST(${to}::timestamptz, ${asOf}::timestamptz)`;
}

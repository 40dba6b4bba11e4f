-- What rows were counts against, what they are counts for: rows that stay as they are cancel out in their group, so that no row has to
-- be joined with the one before it.

CREATE OR REPLACE FUNCTION "record_payment_rollup_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_rollup_change (merchant_id, mode, created_at, account_id, gateway, method, rule_id, currency, status,
    payments, amount, fees, refunded, late)
  SELECT merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status,
    sum(sign), sum(sign * amount), sum(sign * fees), sum(sign * refunded_amount), sum(sign * late)
  FROM (
    SELECT sign, merchant_id, mode, date_trunc('hour', created_at, 'UTC') AS hour,
      COALESCE(account_id, '00000000-0000-0000-0000-000000000000'::uuid) AS account_id, COALESCE(account_gateway, '') AS gateway,
      COALESCE(paid_method, payment_method, '') AS method, COALESCE(rule_id, '') AS rule_id, currency, status, amount,
      CASE WHEN status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(fee_amount, 0) ELSE 0 END AS fees, refunded_amount, late::int AS late
    FROM (SELECT -1 AS sign, * FROM payment_before UNION ALL SELECT 1, * FROM payment_after) AS side
    WHERE status <> 'INITIATED'
  ) AS changes
  GROUP BY merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status
  HAVING sum(sign) <> 0 OR sum(sign * amount) <> 0 OR sum(sign * fees) <> 0 OR sum(sign * refunded_amount) <> 0
    OR sum(sign * late) <> 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "record_attempt_rollup_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO attempt_rollup_change (merchant_id, created_at, account_id, gateway, result, latency_bucket, attempts)
  SELECT merchant_id, date_trunc('hour', created_at, 'UTC') AS hour, account_id, gateway,
    COALESCE(failure_class, 'opened') AS outcome, latency_bucket(latency_ms) AS bucket, sum(sign)
  FROM (
    SELECT -1 AS sign, merchant_id, created_at, account_id, gateway, failure_class, latency_ms FROM attempt_before
    UNION ALL SELECT 1, merchant_id, created_at, account_id, gateway, failure_class, latency_ms FROM attempt_after
  ) AS side
  WHERE latency_ms IS NOT NULL
  GROUP BY merchant_id, hour, account_id, gateway, outcome, bucket
  HAVING sum(sign) <> 0;
  RETURN NULL;
END $$;

-- The same bucket for every latency up to ten minutes, without logarithms of exact decimals, which took eleven microseconds of an attempt.
CREATE OR REPLACE FUNCTION "latency_bucket"(latency_ms INTEGER) RETURNS SMALLINT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN latency_ms <= 10 THEN 0 ELSE LEAST(60, ceil(ln(latency_ms / 10.0::float8) / ln(1.2::float8)))::smallint END
$$;

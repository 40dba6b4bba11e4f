-- Expired payments in the roll-ups, apart from those that failed. Constant defaults: no row is rewritten. Those before it, and those that
-- workers of the version before apply, are added by rebuilding the roll-ups.
SET lock_timeout = '2s';

ALTER TABLE "payment_rollup" ADD COLUMN "expired" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "payment_rollup_change" ADD COLUMN "expired" INTEGER NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION "record_payment_rollup_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  p RECORD;
  sign INTEGER := 1;
BEGIN
  IF TG_OP = 'DELETE' THEN p := OLD; sign := -1; ELSE p := NEW; END IF;
  INSERT INTO payment_rollup_change (merchant_id, mode, created_at, account_id, gateway, method, rule_id, currency, status,
    payments, amount, fees, refunded, late, reversed, expired)
  VALUES (p.merchant_id, p.mode, p.created_at, COALESCE(p.account_id, '00000000-0000-0000-0000-000000000000'::uuid),
    COALESCE(p.account_gateway, ''), COALESCE(p.paid_method, p.payment_method, ''), COALESCE(p.rule_id, ''), p.currency, p.status,
    sign, sign * p.amount, CASE WHEN p.status IN ('SUCCESS', 'REFUNDED') THEN sign * COALESCE(p.fee_amount, 0) ELSE 0 END,
    sign * p.refunded_amount, CASE WHEN p.late THEN sign ELSE 0 END, sign * p.reversed_amount,
    CASE WHEN p.status = 'FAILED' AND p.failure_reason = 'session_expired' THEN sign ELSE 0 END);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "record_payment_rollup_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change RECORD;
BEGIN
  FOR change IN
    SELECT merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status,
      sum(sign) AS payments, sum(sign * amount) AS amount, sum(sign * fees) AS fees, sum(sign * refunded_amount) AS refunded,
      sum(sign * late) AS late, sum(sign * reversed_amount) AS reversed, sum(sign * expired) AS expired
    FROM (
      SELECT sign, merchant_id, mode, date_trunc('hour', created_at, 'UTC') AS hour,
        COALESCE(account_id, '00000000-0000-0000-0000-000000000000'::uuid) AS account_id, COALESCE(account_gateway, '') AS gateway,
        COALESCE(paid_method, payment_method, '') AS method, COALESCE(rule_id, '') AS rule_id, currency, status, side.amount,
        CASE WHEN status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(fee_amount, 0) ELSE 0 END AS fees, refunded_amount,
        side.late::int AS late, reversed_amount,
        CASE WHEN status = 'FAILED' AND failure_reason = 'session_expired' THEN 1 ELSE 0 END AS expired
      FROM (SELECT -1 AS sign, * FROM payment_before UNION ALL SELECT 1, * FROM payment_after) AS side
      WHERE status <> 'INITIATED'
    ) AS changes
    GROUP BY merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status
    HAVING sum(sign) <> 0 OR sum(sign * changes.amount) <> 0 OR sum(sign * changes.fees) <> 0 OR sum(sign * refunded_amount) <> 0
      OR sum(sign * changes.late) <> 0 OR sum(sign * reversed_amount) <> 0 OR sum(sign * changes.expired) <> 0
  LOOP
    INSERT INTO payment_rollup_change (merchant_id, mode, created_at, account_id, gateway, method, rule_id, currency, status,
      payments, amount, fees, refunded, late, reversed, expired)
    VALUES (change.merchant_id, change.mode, change.hour, change.account_id, change.gateway, change.method, change.rule_id,
      change.currency, change.status, change.payments, change.amount, change.fees, change.refunded, change.late, change.reversed,
      change.expired);
  END LOOP;
  RETURN NULL;
END $$;

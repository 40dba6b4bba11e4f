-- Payments change many at a time, in one statement. The change records for the roll-ups are written once per statement, one for all
-- payments or attempts that are alike, and by the hour, which is as fine as roll-ups get.

-- Writers of payments lock these tables in the same order, so that they wait and do not deadlock.
LOCK TABLE "payment", "attempt" IN ACCESS EXCLUSIVE MODE;

DROP TRIGGER "payment_rollup_update" ON "payment";
DROP TRIGGER "attempt_rollup_update" ON "attempt";

CREATE FUNCTION "record_payment_rollup_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_rollup_change (merchant_id, mode, created_at, account_id, gateway, method, rule_id, currency, status,
    payments, amount, fees, refunded, late)
  SELECT merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status,
    sum(sign), sum(sign * amount), sum(sign * fees), sum(sign * refunded), sum(sign * late)
  FROM (
    SELECT b.merchant_id, b.mode, date_trunc('hour', b.created_at, 'UTC') AS hour, b.currency, b.amount, side.*
    FROM payment_before AS b JOIN payment_after AS a ON a.merchant_id = b.merchant_id AND a.id = b.id
    CROSS JOIN LATERAL (VALUES
      (-1, COALESCE(b.account_id, '00000000-0000-0000-0000-000000000000'::uuid), COALESCE(b.account_gateway, ''),
        COALESCE(b.paid_method, b.payment_method, ''), COALESCE(b.rule_id, ''), b.status,
        CASE WHEN b.status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(b.fee_amount, 0) ELSE 0 END, b.refunded_amount, b.late::int),
      (1, COALESCE(a.account_id, '00000000-0000-0000-0000-000000000000'::uuid), COALESCE(a.account_gateway, ''),
        COALESCE(a.paid_method, a.payment_method, ''), COALESCE(a.rule_id, ''), a.status,
        CASE WHEN a.status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(a.fee_amount, 0) ELSE 0 END, a.refunded_amount, a.late::int)
    ) AS side (sign, account_id, gateway, method, rule_id, status, fees, refunded, late)
    WHERE side.status <> 'INITIATED' AND
      ROW(b.status, b.account_id, b.fee_amount, b.refunded_amount, b.late, b.paid_method) IS DISTINCT FROM
      ROW(a.status, a.account_id, a.fee_amount, a.refunded_amount, a.late, a.paid_method)
  ) AS changes
  GROUP BY merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status
  HAVING sum(sign) <> 0 OR sum(sign * amount) <> 0 OR sum(sign * fees) <> 0 OR sum(sign * refunded) <> 0 OR sum(sign * late) <> 0;
  RETURN NULL;
END $$;

CREATE TRIGGER "payment_rollup_update" AFTER UPDATE ON "payment"
  REFERENCING OLD TABLE AS payment_before NEW TABLE AS payment_after
  FOR EACH STATEMENT EXECUTE FUNCTION "record_payment_rollup_changes"();

CREATE FUNCTION "record_attempt_rollup_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO attempt_rollup_change (merchant_id, created_at, account_id, gateway, result, latency_bucket, attempts)
  SELECT b.merchant_id, date_trunc('hour', b.created_at, 'UTC') AS hour, b.account_id, b.gateway,
    COALESCE(side.failure_class, 'opened') AS outcome, latency_bucket(side.latency_ms) AS bucket, sum(side.sign)
  FROM attempt_before AS b JOIN attempt_after AS a ON a.merchant_id = b.merchant_id AND a.id = b.id
  CROSS JOIN LATERAL (VALUES (-1, b.failure_class, b.latency_ms), (1, a.failure_class, a.latency_ms))
    AS side (sign, failure_class, latency_ms)
  WHERE side.latency_ms IS NOT NULL
    AND ROW(b.failure_class, b.latency_ms) IS DISTINCT FROM ROW(a.failure_class, a.latency_ms)
  GROUP BY b.merchant_id, hour, b.account_id, b.gateway, outcome, bucket
  HAVING sum(side.sign) <> 0;
  RETURN NULL;
END $$;

CREATE TRIGGER "attempt_rollup_update" AFTER UPDATE ON "attempt"
  REFERENCING OLD TABLE AS attempt_before NEW TABLE AS attempt_after
  FOR EACH STATEMENT EXECUTE FUNCTION "record_attempt_rollup_changes"();

-- A statement that names the account itself needs no look at the attempt.
DROP TRIGGER "payment_set_account" ON "payment";
CREATE TRIGGER "payment_set_account" BEFORE UPDATE OF "current_attempt_id", "paid_attempt_id" ON "payment" FOR EACH ROW
  WHEN (ROW(OLD.current_attempt_id, OLD.paid_attempt_id) IS DISTINCT FROM ROW(NEW.current_attempt_id, NEW.paid_attempt_id)
    AND NEW.account_id IS NOT DISTINCT FROM OLD.account_id)
  EXECUTE FUNCTION "set_payment_account"();

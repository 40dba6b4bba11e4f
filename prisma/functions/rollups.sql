-- Rows are inserted one at a time, from values: an INSERT from the rows of the trigger would be planned for all nodes, where these rows
-- are not known.
CREATE OR REPLACE FUNCTION record_payment_rollup_change() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Payments change many at a time, in one statement. It leaves one record for all that are alike, by the hour, which is as fine as roll-ups
-- get. What rows were counts against, what they are counts for: rows that stay as they are cancel out in their group.
CREATE OR REPLACE FUNCTION record_payment_rollup_changes() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE TRIGGER payment_rollup_insert AFTER INSERT ON "payment" FOR EACH ROW
  WHEN (NEW.status <> 'INITIATED') EXECUTE FUNCTION "record_payment_rollup_change"();
CREATE OR REPLACE TRIGGER payment_rollup_delete AFTER DELETE ON "payment" FOR EACH ROW
  WHEN (OLD.status <> 'INITIATED') EXECUTE FUNCTION "record_payment_rollup_change"();
CREATE OR REPLACE TRIGGER payment_rollup_update AFTER UPDATE ON "payment"
  REFERENCING OLD TABLE AS payment_before NEW TABLE AS payment_after
  FOR EACH STATEMENT EXECUTE FUNCTION "record_payment_rollup_changes"();

-- Buckets of latency: each is a fifth wider than the one before, from 10 ms on. Logarithms of exact decimals would take eleven
-- microseconds of an attempt.
CREATE OR REPLACE FUNCTION latency_bucket(latency_ms INTEGER) RETURNS SMALLINT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN latency_ms <= 10 THEN 0 ELSE LEAST(60, ceil(ln(latency_ms / 10.0::float8) / ln(1.2::float8)))::smallint END
$$;

-- An attempt that was given up may turn out to have opened its checkout after all, when the process that began it was only held up. Its
-- first answer is then taken back from the roll-ups, and the other counted.
CREATE OR REPLACE FUNCTION record_attempt_rollup_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.latency_ms IS NOT NULL THEN
    INSERT INTO attempt_rollup_change (merchant_id, created_at, account_id, gateway, result, latency_bucket, attempts)
    VALUES (OLD.merchant_id, OLD.created_at, OLD.account_id, OLD.gateway, COALESCE(OLD.failure_class, 'opened'), latency_bucket(OLD.latency_ms), -1);
  END IF;
  IF NEW.latency_ms IS NOT NULL THEN
    INSERT INTO attempt_rollup_change (merchant_id, created_at, account_id, gateway, result, latency_bucket)
    VALUES (NEW.merchant_id, NEW.created_at, NEW.account_id, NEW.gateway, COALESCE(NEW.failure_class, 'opened'), latency_bucket(NEW.latency_ms));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION record_attempt_rollup_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change RECORD;
BEGIN
  FOR change IN
    SELECT merchant_id, date_trunc('hour', created_at, 'UTC') AS hour, account_id, gateway,
      COALESCE(failure_class, 'opened') AS outcome, latency_bucket(latency_ms) AS bucket, sum(sign) AS attempts
    FROM (
      SELECT -1 AS sign, merchant_id, created_at, account_id, gateway, failure_class, latency_ms FROM attempt_before
      UNION ALL SELECT 1, merchant_id, created_at, account_id, gateway, failure_class, latency_ms FROM attempt_after
    ) AS side
    WHERE latency_ms IS NOT NULL
    GROUP BY merchant_id, hour, account_id, gateway, outcome, bucket
    HAVING sum(sign) <> 0
  LOOP
    INSERT INTO attempt_rollup_change (merchant_id, created_at, account_id, gateway, result, latency_bucket, attempts)
    VALUES (change.merchant_id, change.hour, change.account_id, change.gateway, change.outcome, change.bucket, change.attempts);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER attempt_rollup_insert AFTER INSERT ON "attempt" FOR EACH ROW
  WHEN (NEW.latency_ms IS NOT NULL) EXECUTE FUNCTION "record_attempt_rollup_change"();
CREATE OR REPLACE TRIGGER attempt_rollup_update AFTER UPDATE ON "attempt"
  REFERENCING OLD TABLE AS attempt_before NEW TABLE AS attempt_after
  FOR EACH STATEMENT EXECUTE FUNCTION "record_attempt_rollup_changes"();

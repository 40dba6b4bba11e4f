-- Demands of a distributed engine on the schema that one server does not make.

-- Prisma reads enum columns as text, also in the RETURNING clause of what it writes. Citus takes only immutable functions there, and the
-- conversion that PostgreSQL has by itself counts as changeable, because a label can be renamed. Labels are never renamed here.
CREATE FUNCTION "enum_label"(value ANYENUM) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN value;
END $$;

DO $$
DECLARE
  enum REGTYPE;
BEGIN
  FOR enum IN
    SELECT pg_type.oid FROM pg_type JOIN pg_namespace ON pg_namespace.oid = typnamespace WHERE typtype = 'e' AND nspname = current_schema()
  LOOP
    EXECUTE format('CREATE CAST (%s AS TEXT) WITH FUNCTION enum_label(ANYENUM)', enum);
  END LOOP;
END $$;

-- Versions since 0.1.0 write why a payment failed: nothing is left to fill in.
DROP INDEX "payment_without_failure_reason";

-- A merchant beside its rows: lists of several merchants begin here, and so are read where the rows are.
CREATE TABLE "tenant" (
  "id" UUID NOT NULL PRIMARY KEY
);
INSERT INTO "tenant" SELECT "id" FROM "merchant";

-- Processes of 0.1.0 that still run add merchants and know nothing of tenants. Goes with the next release.
CREATE FUNCTION "add_tenant"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tenant VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "merchant_add_tenant" AFTER INSERT ON "merchant" FOR EACH ROW EXECUTE FUNCTION "add_tenant"();

-- Rows are inserted one at a time, from values: an INSERT from the rows of the trigger would be planned for all nodes, where these rows
-- are not known.
CREATE OR REPLACE FUNCTION "record_payment_rollup_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  p RECORD;
  sign INTEGER := 1;
BEGIN
  IF TG_OP = 'DELETE' THEN p := OLD; sign := -1; ELSE p := NEW; END IF;
  INSERT INTO payment_rollup_change (merchant_id, mode, created_at, account_id, gateway, method, rule_id, currency, status,
    payments, amount, fees, refunded, late, reversed)
  VALUES (p.merchant_id, p.mode, p.created_at, COALESCE(p.account_id, '00000000-0000-0000-0000-000000000000'::uuid),
    COALESCE(p.account_gateway, ''), COALESCE(p.paid_method, p.payment_method, ''), COALESCE(p.rule_id, ''), p.currency, p.status,
    sign, sign * p.amount, CASE WHEN p.status IN ('SUCCESS', 'REFUNDED') THEN sign * COALESCE(p.fee_amount, 0) ELSE 0 END,
    sign * p.refunded_amount, CASE WHEN p.late THEN sign ELSE 0 END, sign * p.reversed_amount);
  RETURN NULL;
END $$;

DROP FUNCTION "payment_rollup_contribution"(payment, INTEGER);

CREATE OR REPLACE FUNCTION "record_payment_rollup_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change RECORD;
BEGIN
  FOR change IN
    SELECT merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status,
      sum(sign) AS payments, sum(sign * amount) AS amount, sum(sign * fees) AS fees, sum(sign * refunded_amount) AS refunded,
      sum(sign * late) AS late, sum(sign * reversed_amount) AS reversed
    FROM (
      SELECT sign, merchant_id, mode, date_trunc('hour', created_at, 'UTC') AS hour,
        COALESCE(account_id, '00000000-0000-0000-0000-000000000000'::uuid) AS account_id, COALESCE(account_gateway, '') AS gateway,
        COALESCE(paid_method, payment_method, '') AS method, COALESCE(rule_id, '') AS rule_id, currency, status, side.amount,
        CASE WHEN status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(fee_amount, 0) ELSE 0 END AS fees, refunded_amount,
        side.late::int AS late, reversed_amount
      FROM (SELECT -1 AS sign, * FROM payment_before UNION ALL SELECT 1, * FROM payment_after) AS side
      WHERE status <> 'INITIATED'
    ) AS changes
    GROUP BY merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status
    HAVING sum(sign) <> 0 OR sum(sign * changes.amount) <> 0 OR sum(sign * changes.fees) <> 0 OR sum(sign * refunded_amount) <> 0
      OR sum(sign * changes.late) <> 0 OR sum(sign * reversed_amount) <> 0
  LOOP
    INSERT INTO payment_rollup_change (merchant_id, mode, created_at, account_id, gateway, method, rule_id, currency, status,
      payments, amount, fees, refunded, late, reversed)
    VALUES (change.merchant_id, change.mode, change.hour, change.account_id, change.gateway, change.method, change.rule_id,
      change.currency, change.status, change.payments, change.amount, change.fees, change.refunded, change.late, change.reversed);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "record_attempt_rollup_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
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

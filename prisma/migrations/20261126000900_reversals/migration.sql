-- Money that gateways take back of paid payments, apart from refunds, and the disputes behind it.
SET lock_timeout = '2s';

CREATE TYPE "dispute_state" AS ENUM ('NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'CLOSED');

CREATE TABLE "dispute" (
  "merchant_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "mode" "mode" NOT NULL,
  "payment_id" UUID NOT NULL,
  "attempt_id" UUID NOT NULL,
  "account_id" UUID NOT NULL,
  "gateway" TEXT NOT NULL,
  "gateway_dispute_id" TEXT NOT NULL,
  "state" "dispute_state" NOT NULL,
  "category" TEXT,
  "amount" DECIMAL(30,6) NOT NULL,
  "currency" CHAR(3) NOT NULL,
  "due_at" TIMESTAMPTZ(3),
  "opened_at" TIMESTAMPTZ(3) NOT NULL,
  "closed_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "dispute_pkey" PRIMARY KEY ("merchant_id", "id"),
  CONSTRAINT "dispute_amount_positive" CHECK ("amount" > 0),
  CONSTRAINT "dispute_merchant_id_payment_id_fkey" FOREIGN KEY ("merchant_id", "payment_id")
    REFERENCES "payment" ("merchant_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "dispute_merchant_id_account_id_gateway_dispute_id_key" ON "dispute" ("merchant_id", "account_id", "gateway_dispute_id");
CREATE INDEX "dispute_merchant_id_payment_id_idx" ON "dispute" ("merchant_id", "payment_id");
-- Open disputes of all merchants, for incidents and the attention list.
CREATE INDEX "dispute_open" ON "dispute" ("merchant_id", "mode", "due_at") WHERE "state" IN ('NEEDS_RESPONSE', 'UNDER_REVIEW');

-- Constant defaults: no row is rewritten.
ALTER TABLE "payment"
  ADD COLUMN "reversed_amount" DECIMAL(30,6) NOT NULL DEFAULT 0,
  ADD COLUMN "reversed_at" TIMESTAMPTZ(3),
  ADD COLUMN "reversal_cause" TEXT,
  ADD CONSTRAINT "payment_reversed_not_negative" CHECK ("reversed_amount" >= 0) NOT VALID;
ALTER TABLE "payment_rollup" ADD COLUMN "reversed" DECIMAL(30,6) NOT NULL DEFAULT 0;

-- The function returns rows of the table: both change in one transaction, in which the statement above locks payments.
ALTER TABLE "payment_rollup_change" ADD COLUMN "reversed" DECIMAL(30,6) NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION "payment_rollup_contribution"(p "payment", sign INTEGER) RETURNS SETOF "payment_rollup_change" LANGUAGE sql STABLE AS $$
  SELECT gen_random_uuid(), p.merchant_id, p.mode, p.created_at,
    COALESCE(p.account_id, '00000000-0000-0000-0000-000000000000'::uuid), COALESCE(p.account_gateway, ''),
    COALESCE(p.paid_method, p.payment_method, ''), COALESCE(p.rule_id, ''), p.currency, p.status,
    sign, sign * p.amount,
    CASE WHEN p.status IN ('SUCCESS', 'REFUNDED') THEN sign * COALESCE(p.fee_amount, 0) ELSE 0 END,
    sign * p.refunded_amount, CASE WHEN p.late THEN sign ELSE 0 END, sign * p.reversed_amount
  WHERE p.status <> 'INITIATED'
$$;

CREATE OR REPLACE FUNCTION "record_payment_rollup_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_rollup_change (merchant_id, mode, created_at, account_id, gateway, method, rule_id, currency, status,
    payments, amount, fees, refunded, late, reversed)
  SELECT merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status,
    sum(sign), sum(sign * amount), sum(sign * fees), sum(sign * refunded_amount), sum(sign * late), sum(sign * reversed_amount)
  FROM (
    SELECT sign, merchant_id, mode, date_trunc('hour', created_at, 'UTC') AS hour,
      COALESCE(account_id, '00000000-0000-0000-0000-000000000000'::uuid) AS account_id, COALESCE(account_gateway, '') AS gateway,
      COALESCE(paid_method, payment_method, '') AS method, COALESCE(rule_id, '') AS rule_id, currency, status, amount,
      CASE WHEN status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(fee_amount, 0) ELSE 0 END AS fees, refunded_amount, late::int AS late,
      reversed_amount
    FROM (SELECT -1 AS sign, * FROM payment_before UNION ALL SELECT 1, * FROM payment_after) AS side
    WHERE status <> 'INITIATED'
  ) AS changes
  GROUP BY merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status
  HAVING sum(sign) <> 0 OR sum(sign * amount) <> 0 OR sum(sign * fees) <> 0 OR sum(sign * refunded_amount) <> 0
    OR sum(sign * late) <> 0 OR sum(sign * reversed_amount) <> 0;
  RETURN NULL;
END $$;

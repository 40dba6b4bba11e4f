-- Roll-ups, their change records and reconciliation discrepancies get the names that the documentation uses. Nothing is rewritten.

-- Writers of payments lock these tables in the same order, so that they wait and do not deadlock.
LOCK TABLE "payment", "attempt", "payment_note_to_count", "attempt_note_to_count" IN ACCESS EXCLUSIVE MODE;

-- Change records.
ALTER TABLE "payment_note_to_count" RENAME TO "payment_rollup_change";
ALTER TABLE "payment_rollup_change" RENAME COLUMN "note_id" TO "id";
ALTER TABLE "payment_rollup_change" RENAME CONSTRAINT "payment_note_to_count_pkey" TO "payment_rollup_change_pkey";

ALTER TABLE "attempt_note_to_count" RENAME TO "attempt_rollup_change";
ALTER TABLE "attempt_rollup_change" RENAME COLUMN "latency_step" TO "latency_bucket";
ALTER TABLE "attempt_rollup_change" RENAME CONSTRAINT "attempt_note_to_count_pkey" TO "attempt_rollup_change_pkey";

-- Roll-ups.
ALTER TYPE "sum_detail" RENAME TO "rollup_detail";
ALTER TYPE "rollup_detail" RENAME VALUE 'everyone' TO 'all_merchants';
ALTER TYPE "sum_step" RENAME TO "rollup_step";

ALTER TABLE "payment_sum" RENAME TO "payment_rollup";
ALTER TABLE "payment_rollup" RENAME CONSTRAINT "payment_sum_pkey" TO "payment_rollup_pkey";

ALTER TABLE "attempt_hour" RENAME TO "attempt_rollup";
ALTER TABLE "attempt_rollup" RENAME COLUMN "latency_step" TO "latency_bucket";
ALTER TABLE "attempt_rollup" RENAME CONSTRAINT "attempt_hour_pkey" TO "attempt_rollup_pkey";

-- Functions and triggers that write change records.
ALTER FUNCTION "latency_step"(INTEGER) RENAME TO "latency_bucket";
ALTER FUNCTION "payment_share"("payment", INTEGER) RENAME TO "payment_rollup_contribution";
ALTER FUNCTION "note_payment_to_count"() RENAME TO "record_payment_rollup_change";
ALTER FUNCTION "note_attempt_to_count"() RENAME TO "record_attempt_rollup_change";
ALTER FUNCTION "name_account_of_payment"() RENAME TO "set_payment_account";

CREATE OR REPLACE FUNCTION "record_payment_rollup_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO payment_rollup_change SELECT * FROM payment_rollup_contribution(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO payment_rollup_change SELECT * FROM payment_rollup_contribution(NEW, 1); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "record_attempt_rollup_change"() RETURNS trigger LANGUAGE plpgsql AS $$
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

ALTER TRIGGER "payment_came" ON "payment" RENAME TO "payment_rollup_insert";
ALTER TRIGGER "payment_moved" ON "payment" RENAME TO "payment_rollup_update";
ALTER TRIGGER "payment_went" ON "payment" RENAME TO "payment_rollup_delete";
ALTER TRIGGER "payment_account" ON "payment" RENAME TO "payment_set_account";
ALTER TRIGGER "attempt_came" ON "attempt" RENAME TO "attempt_rollup_insert";
ALTER TRIGGER "attempt_answered" ON "attempt" RENAME TO "attempt_rollup_update";

-- Discrepancies between the ledger and a gateway's statement.
ALTER TYPE "difference_kind" RENAME TO "discrepancy_kind";
ALTER TYPE "difference_state" RENAME TO "discrepancy_state";

ALTER TABLE "reconciliation_difference" RENAME TO "reconciliation_discrepancy";
ALTER TABLE "reconciliation_discrepancy" RENAME COLUMN "ours" TO "ledger";
ALTER TABLE "reconciliation_discrepancy" RENAME COLUMN "theirs" TO "statement";
ALTER TABLE "reconciliation_discrepancy" RENAME COLUMN "settled_by" TO "resolved_by";
ALTER TABLE "reconciliation_discrepancy" RENAME COLUMN "settled_at" TO "resolved_at";
ALTER TABLE "reconciliation_discrepancy" RENAME COLUMN "settled_why" TO "resolution";
ALTER TABLE "reconciliation_discrepancy" RENAME CONSTRAINT "reconciliation_difference_pkey" TO "reconciliation_discrepancy_pkey";
ALTER TABLE "reconciliation_discrepancy" RENAME CONSTRAINT "reconciliation_difference_settled" TO "reconciliation_discrepancy_resolved";
ALTER TABLE "reconciliation_discrepancy" RENAME CONSTRAINT "reconciliation_difference_has_a_side" TO "reconciliation_discrepancy_has_a_side";

ALTER INDEX "reconciliation_difference_merchant_id_account_id_day_kind_s_key" RENAME TO "reconciliation_discrepancy_merchant_id_account_id_day_kind__key";
ALTER INDEX "reconciliation_difference_merchant_id_mode_day_id_idx" RENAME TO "reconciliation_discrepancy_merchant_id_mode_day_id_idx";
ALTER INDEX "reconciliation_difference_merchant_id_payment_id_idx" RENAME TO "reconciliation_discrepancy_merchant_id_payment_id_idx";
ALTER INDEX "reconciliation_difference_open" RENAME TO "reconciliation_discrepancy_open";

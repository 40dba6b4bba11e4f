-- What the schema language cannot say: amounts that make sense, live accounts that reach only the real gateway,
-- and the short indexes from which work is picked up across merchants.

ALTER TABLE "payment"
  ADD CONSTRAINT "payment_amount_positive" CHECK ("amount" > 0 AND "amount" <= 1000000000000),
  ADD CONSTRAINT "payment_refunded_within_amount" CHECK ("refunded_amount" >= 0 AND "refunded_amount" <= "amount"),
  ADD CONSTRAINT "payment_version_positive" CHECK ("version" > 0);

ALTER TABLE "refund" ADD CONSTRAINT "refund_amount_positive" CHECK ("amount" > 0);

ALTER TABLE "gateway_account"
  ADD CONSTRAINT "gateway_account_live_base_url" CHECK ("mode" = 'test' OR "base_url" IS NULL);

CREATE INDEX "payment_due" ON "payment" ("next_check_at") WHERE "next_check_at" IS NOT NULL;
CREATE INDEX "payment_review_open" ON "payment" ("merchant_id", "mode", "created_at") WHERE "review" = 'OPEN';
CREATE INDEX "refund_due" ON "refund" ("next_check_at") WHERE "next_check_at" IS NOT NULL;
CREATE INDEX "attempt_duplicate" ON "attempt" ("merchant_id", "created_at") WHERE "duplicate";

-- Rows are changed in place soon after they are written; the free room keeps those changes on the same page.
ALTER TABLE "payment" SET (fillfactor = 85);
ALTER TABLE "attempt" SET (fillfactor = 85);
ALTER TABLE "idempotency_record" SET (fillfactor = 80);

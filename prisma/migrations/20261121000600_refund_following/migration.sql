-- Refunds that are followed until they are final, whatever happens between asking for one and hearing of it.

ALTER TABLE "refund"
  ADD COLUMN "mode" "mode",
  ADD COLUMN "gateway" TEXT,
  ADD COLUMN "transaction_id" TEXT,
  ADD COLUMN "mismatched" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "sent_at" TIMESTAMPTZ(3),
  ADD COLUMN "send_count" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;

UPDATE "refund" SET "mode" = "payment"."mode", "gateway" = "attempt"."gateway", "transaction_id" = coalesce("attempt"."transaction_id", '')
FROM "payment", "attempt"
WHERE "payment"."merchant_id" = "refund"."merchant_id" AND "payment"."id" = "refund"."payment_id"
  AND "attempt"."merchant_id" = "refund"."merchant_id" AND "attempt"."id" = "refund"."attempt_id";

ALTER TABLE "refund"
  ALTER COLUMN "mode" SET NOT NULL,
  ALTER COLUMN "gateway" SET NOT NULL,
  ALTER COLUMN "transaction_id" SET NOT NULL,
  ADD CONSTRAINT "refund_not_of_two_kinds" CHECK (NOT ("duplicate" AND "mismatched"));

CREATE INDEX "refund_merchant_id_mode_created_at_id_idx" ON "refund"("merchant_id", "mode", "created_at", "id");
CREATE INDEX "refund_merchant_id_account_id_gateway_refund_id_idx" ON "refund"("merchant_id", "account_id", "gateway_refund_id");

-- Refunds that failed need attention until one of as much is requested in their place, or somebody dismisses them.

ALTER TABLE "refund"
  ADD COLUMN "note" TEXT,
  ADD COLUMN "resolved_by" TEXT,
  ADD COLUMN "resolved_at" TIMESTAMPTZ(3);

-- Those in whose place another has been requested since.
UPDATE "refund" AS failed SET "resolved_by" = "later"."requested_by", "resolved_at" = "later"."created_at"
FROM "refund" AS "later"
WHERE failed."state" = 'FAILED' AND NOT failed."duplicate" AND NOT failed."mismatched"
  AND "later"."merchant_id" = failed."merchant_id" AND "later"."payment_id" = failed."payment_id"
  AND NOT "later"."duplicate" AND NOT "later"."mismatched" AND "later"."amount" >= failed."amount"
  AND ("later"."created_at", "later"."id") > (failed."created_at", failed."id");

CREATE INDEX "refund_unresolved" ON "refund" ("merchant_id", "mode", "created_at", "id")
WHERE "state" = 'FAILED' AND NOT "duplicate" AND NOT "mismatched" AND "resolved_at" IS NULL;

-- Health is judged from kinds of faults, and remembers between two judgements; counts are in the buckets alone.

ALTER TABLE "health_bucket"
  ADD COLUMN "timed_out" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "refused" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "server_error" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "malformed" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "health_status"
  DROP COLUMN "succeeded",
  DROP COLUMN "faulted",
  DROP COLUMN "paid",
  DROP COLUMN "unpaid",
  ADD COLUMN "count_from" TIMESTAMPTZ(3) NOT NULL,
  ADD COLUMN "relapses" INTEGER NOT NULL;

CREATE INDEX "attempt_by_account" ON "attempt" ("merchant_id", "account_id", "created_at" DESC);

-- Openings of checkouts and look-ups are counted apart, health remembers what an account was demoted by, and how long openings usually
-- take there. What was counted before stays as it is.

ALTER TABLE "health_bucket"
  ADD COLUMN "rate_limited" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "lookups_answered" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "lookups_failed" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "health_status"
  ALTER COLUMN "probe_percent" SET DEFAULT 0,
  ADD COLUMN "demoted_to" TEXT,
  ADD COLUMN "demoted_by" TEXT,
  ADD COLUMN "demoted_succeeded" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "demoted_faulted" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "demoted_shared" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "usual_ms" INTEGER,
  ADD COLUMN "usual_at" TIMESTAMPTZ(3);

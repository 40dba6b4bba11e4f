-- Drafts remember who wrote in them, what was approved and what became of a schedule; a merchant may ask for a second person.

ALTER TABLE "rule_set_version"
  ADD COLUMN "name" TEXT,
  ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "editors" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "saved_by" TEXT,
  ADD COLUMN "restored_version" INTEGER,
  ADD COLUMN "approval_requested_by" TEXT,
  ADD COLUMN "approval_requested_at" TIMESTAMPTZ(3),
  ADD COLUMN "approved_at" TIMESTAMPTZ(3),
  ADD COLUMN "rejected_by" TEXT,
  ADD COLUMN "rejected_at" TIMESTAMPTZ(3),
  ADD COLUMN "rejection_reason" TEXT,
  ADD COLUMN "scheduled_by" TEXT,
  ADD COLUMN "schedule_refusal" JSON;

ALTER TABLE "merchant"
  ADD COLUMN "rules_need_approval" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "approval_waiver_by" TEXT,
  ADD COLUMN "approval_waiver_at" TIMESTAMPTZ(3);

-- One version per merchant and mode is in force, whatever the program does.
CREATE UNIQUE INDEX "rule_set_in_force" ON "rule_set_version" ("merchant_id", "mode") WHERE "state" = 'PUBLISHED';
CREATE INDEX "rule_set_due" ON "rule_set_version" ("publish_at") WHERE "state" = 'SCHEDULED';

-- Drafts of rules beside live traffic: what they would have decided, recorded by the worker. Payments are only read.
CREATE TYPE "shadow_end" AS ENUM ('TIME', 'LIMIT', 'STOPPED', 'SAVED', 'PUBLISHED', 'DISCARDED');
CREATE TYPE "shadow_result" AS ENUM ('SAME', 'REORDERED', 'MOVED', 'UNREADABLE');

CREATE TABLE "shadow_run" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "draft_id" UUID NOT NULL,
    "draft_revision" INTEGER NOT NULL,
    "document" JSON NOT NULL,
    "started_by" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" TEXT,
    "ended" "shadow_end",
    "scanned_to" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shadow_run_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "shadow_run_merchant_id_draft_id_started_at_idx" ON "shadow_run"("merchant_id", "draft_id", "started_at");
-- One at a time for each draft; and what the worker looks for.
CREATE UNIQUE INDEX "shadow_run_of_draft" ON "shadow_run"("merchant_id", "draft_id") WHERE "ended_at" IS NULL;

CREATE TABLE "shadow_decision" (
    "merchant_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "method" TEXT,
    "result" "shadow_result" NOT NULL,
    "rule_id" TEXT,
    "plan" UUID[],
    "live_account_id" UUID,
    "account_id" UUID,
    "live_fee" BIGINT,
    "fee" BIGINT,

    CONSTRAINT "shadow_decision_pkey" PRIMARY KEY ("merchant_id", "run_id", "payment_id")
);

CREATE INDEX "shadow_decision_that_moves" ON "shadow_decision"("merchant_id", "run_id", "created_at", "payment_id") WHERE "result" = 'MOVED';

-- Our books against each gateway's own list, by account and day, and what does not agree.

CREATE TYPE "reconciliation_state" AS ENUM ('QUEUED', 'RUNNING', 'DONE', 'FAILED');
CREATE TYPE "difference_kind" AS ENUM ('MISSING_HERE', 'MISSING_THERE', 'STATUS', 'CURRENCY', 'AMOUNT');
CREATE TYPE "difference_state" AS ENUM ('OPEN', 'EXPLAINED', 'RESOLVED');

CREATE TABLE "reconciliation_run" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "zone" TEXT NOT NULL,
    "state" "reconciliation_state" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "rows_read" INTEGER NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "requested_by" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "compared_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "totals" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reconciliation_run_pkey" PRIMARY KEY ("merchant_id","id")
);

CREATE TABLE "reconciliation_difference" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "kind" "difference_kind" NOT NULL,
    "subject" TEXT NOT NULL,
    "state" "difference_state" NOT NULL,
    "payment_id" UUID,
    "refund_id" UUID,
    "reference" TEXT,
    "transaction_id" TEXT,
    "ours" JSON,
    "theirs" JSON,
    "owner_id" UUID,
    "note" TEXT,
    "settled_by" TEXT,
    "settled_at" TIMESTAMPTZ(3),
    "settled_why" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reconciliation_difference_pkey" PRIMARY KEY ("merchant_id","id"),
    CONSTRAINT "reconciliation_difference_settled" CHECK (("state" = 'OPEN') = ("settled_at" IS NULL)),
    CONSTRAINT "reconciliation_difference_has_a_side" CHECK ("ours" IS NOT NULL OR "theirs" IS NOT NULL)
);

CREATE UNIQUE INDEX "reconciliation_run_merchant_id_account_id_day_key" ON "reconciliation_run"("merchant_id", "account_id", "day");
CREATE INDEX "reconciliation_run_merchant_id_mode_day_id_idx" ON "reconciliation_run"("merchant_id", "mode", "day", "id");
CREATE UNIQUE INDEX "reconciliation_difference_merchant_id_account_id_day_kind_s_key" ON "reconciliation_difference"("merchant_id", "account_id", "day", "kind", "subject");
CREATE INDEX "reconciliation_difference_merchant_id_mode_day_id_idx" ON "reconciliation_difference"("merchant_id", "mode", "day", "id");
CREATE INDEX "reconciliation_difference_merchant_id_payment_id_idx" ON "reconciliation_difference"("merchant_id", "payment_id");
CREATE INDEX "reconciliation_difference_open" ON "reconciliation_difference" ("merchant_id", "mode", "day", "id") WHERE "state" = 'OPEN';

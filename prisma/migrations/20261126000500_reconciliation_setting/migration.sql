-- By how much amounts of a merchant may differ for staff to accept them together.
CREATE TABLE "reconciliation_setting" (
    "merchant_id" UUID NOT NULL,
    "tolerance" DECIMAL(30,6) NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reconciliation_setting_pkey" PRIMARY KEY ("merchant_id")
);

-- The work list: open discrepancies of a merchant, by day.
CREATE INDEX "reconciliation_discrepancy_open_idx" ON "reconciliation_discrepancy" ("merchant_id", "mode", "day", "id")
  WHERE "state" = 'OPEN';

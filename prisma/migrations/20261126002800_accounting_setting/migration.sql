-- CreateTable
CREATE TABLE "accounting_setting" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "time_zone" TEXT NOT NULL,
    "mapping" JSONB NOT NULL,
    "needs_review" BOOLEAN NOT NULL DEFAULT false,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "accounting_setting_pkey" PRIMARY KEY ("merchant_id","mode")
);

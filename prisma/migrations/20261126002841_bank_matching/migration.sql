-- CreateTable
CREATE TABLE "bank_matching" (
    "merchant_id" UUID NOT NULL,
    "tolerance" DECIMAL(30,6) NOT NULL,
    "days" SMALLINT NOT NULL,
    "working_days" SMALLINT NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_matching_pkey" PRIMARY KEY ("merchant_id")
);

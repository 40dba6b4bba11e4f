-- CreateTable
CREATE TABLE "bank_coverage" (
    "merchant_id" UUID NOT NULL,
    "statement_id" UUID NOT NULL,
    "bank_account" TEXT NOT NULL,
    "covered_from" DATE NOT NULL,
    "covered_to" DATE NOT NULL,
    "mode" "mode" NOT NULL,

    CONSTRAINT "bank_coverage_pkey" PRIMARY KEY ("merchant_id","statement_id","bank_account","covered_from")
);

-- CreateTable
CREATE TABLE "bank_decision" (
    "merchant_id" UUID NOT NULL,
    "bank_line_id" UUID NOT NULL,
    "settlement_id" UUID NOT NULL,
    "is_linked" BOOLEAN NOT NULL,
    "decided_by" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_decision_pkey" PRIMARY KEY ("merchant_id","bank_line_id","settlement_id")
);

-- AlterTable
ALTER TABLE "settlement_source" ADD COLUMN "last_intake_at" TIMESTAMPTZ(3);
ALTER TABLE "bank_statement" ADD COLUMN "withdrawn_at" TIMESTAMPTZ(3);

-- CreateEnum
CREATE TYPE "settlement_status" AS ENUM ('PENDING', 'PAID', 'FAILED');

-- CreateEnum
CREATE TYPE "settlement_road" AS ENUM ('POLLED', 'WEBHOOK', 'FILE');

-- CreateEnum
CREATE TYPE "settlement_line_kind" AS ENUM ('PAYMENT', 'REFUND', 'FEE', 'CHARGEBACK', 'ADJUSTMENT', 'OTHER', 'RESIDUE');

-- CreateEnum
CREATE TYPE "settlement_linked_by" AS ENUM ('REFERENCE', 'TRANSACTION', 'AMOUNT_AND_TIME', 'STAFF');

-- CreateEnum
CREATE TYPE "settlement_discrepancy_kind" AS ENUM ('LATE', 'MISSING', 'OVER', 'UNDER', 'UNMATCHED');

-- CreateTable
CREATE TABLE "settlement" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "road" "settlement_road" NOT NULL,
    "status" "settlement_status" NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "gross" DECIMAL(30,6) NOT NULL,
    "fees" DECIMAL(30,6) NOT NULL,
    "deductions" DECIMAL(30,6) NOT NULL,
    "net" DECIMAL(30,6) NOT NULL,
    "period_from" TIMESTAMPTZ(3),
    "period_to" TIMESTAMPTZ(3),
    "settled_on" DATE,
    "lines_read_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_line" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "settlement_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" "settlement_line_kind" NOT NULL,
    "amount" DECIMAL(30,6) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "reference" TEXT,
    "transaction_id" TEXT,
    "description" TEXT,
    "occurred_at" TIMESTAMPTZ(3),
    "payment_id" UUID,
    "refund_id" UUID,
    "dispute_id" UUID,
    "linked_by" "settlement_linked_by",
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_line_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_discrepancy" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "kind" "settlement_discrepancy_kind" NOT NULL,
    "subject" TEXT NOT NULL,
    "state" "discrepancy_state" NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "expected" DECIMAL(30,6),
    "settled" DECIMAL(30,6),
    "expected_on" DATE,
    "settlement_id" UUID,
    "line_id" UUID,
    "payment_id" UUID,
    "refund_id" UUID,
    "dispute_id" UUID,
    "owner_id" UUID,
    "note" TEXT,
    "resolved_by" TEXT,
    "resolved_at" TIMESTAMPTZ(3),
    "resolution" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_discrepancy_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_ignore_rule" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID,
    "kind" "settlement_discrepancy_kind" NOT NULL,
    "line_kind" "settlement_line_kind",
    "amount_max" DECIMAL(30,6) NOT NULL,
    "reason" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_by" TEXT,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "settlement_ignore_rule_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_calendar" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "working_days" SMALLINT NOT NULL,
    "holidays" DATE[],
    "grace_days" SMALLINT NOT NULL,
    "tolerance" DECIMAL(30,6) NOT NULL,
    "tolerance_minutes" INTEGER NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_calendar_pkey" PRIMARY KEY ("merchant_id","account_id")
);

-- CreateTable
CREATE TABLE "settlement_source" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "read_to" TIMESTAMPTZ(3),
    "heard_at" TIMESTAMPTZ(3),
    "next_poll_at" TIMESTAMPTZ(3),
    "leased_until" TIMESTAMPTZ(3),
    "failure" TEXT,
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "settlement_source_pkey" PRIMARY KEY ("merchant_id","account_id")
);

-- CreateIndex
CREATE INDEX "settlement_merchant_id_mode_settled_on_id_idx" ON "settlement"("merchant_id", "mode", "settled_on", "id");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_merchant_id_account_id_reference_key" ON "settlement"("merchant_id", "account_id", "reference");

-- CreateIndex
CREATE INDEX "settlement_line_merchant_id_payment_id_idx" ON "settlement_line"("merchant_id", "payment_id");

-- CreateIndex
CREATE INDEX "settlement_line_merchant_id_account_id_reference_idx" ON "settlement_line"("merchant_id", "account_id", "reference");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_line_merchant_id_settlement_id_position_key" ON "settlement_line"("merchant_id", "settlement_id", "position");

-- CreateIndex
CREATE INDEX "settlement_discrepancy_merchant_id_mode_state_created_at_id_idx" ON "settlement_discrepancy"("merchant_id", "mode", "state", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_discrepancy_merchant_id_account_id_subject_key" ON "settlement_discrepancy"("merchant_id", "account_id", "subject");


-- A line is a fact of the gateway's: only what it is linked to changes.
CREATE FUNCTION keep_settlement_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.settlement_id, OLD.account_id, OLD.position, OLD.kind, OLD.amount, OLD.currency, OLD.reference, OLD.transaction_id, OLD.description, OLD.occurred_at)
    IS DISTINCT FROM
    (NEW.settlement_id, NEW.account_id, NEW.position, NEW.kind, NEW.amount, NEW.currency, NEW.reference, NEW.transaction_id, NEW.description, NEW.occurred_at)
  THEN
    RAISE EXCEPTION 'settlement lines do not change';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_settlement_line BEFORE UPDATE ON "settlement_line" FOR EACH ROW EXECUTE FUNCTION keep_settlement_line();

-- AlterTable
ALTER TABLE "settlement_line" ADD COLUMN "file_id" UUID;

-- AlterTable
ALTER TABLE "settlement_file" ADD COLUMN "entered" JSONB,
ADD COLUMN "extended" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "replaced" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "withdrawn_at" TIMESTAMPTZ(3);

-- DropIndex
DROP INDEX "bank_statement_merchant_id_mode_hash_key";
DROP INDEX "settlement_file_merchant_id_account_id_hash_key";

-- CreateIndex
CREATE INDEX "bank_statement_merchant_id_mode_hash_idx" ON "bank_statement"("merchant_id", "mode", "hash");
CREATE INDEX "settlement_file_merchant_id_account_id_hash_idx" ON "settlement_file"("merchant_id", "account_id", "hash");

-- CreateTable
CREATE TABLE "bank_line_repeat" (
    "merchant_id" UUID NOT NULL,
    "statement_id" UUID NOT NULL,
    "bank_line_id" UUID NOT NULL,

    CONSTRAINT "bank_line_repeat_pkey" PRIMARY KEY ("merchant_id","statement_id","bank_line_id")
);

-- CreateIndex
CREATE INDEX "bank_line_repeat_merchant_id_bank_line_id_idx" ON "bank_line_repeat"("merchant_id", "bank_line_id");

-- CreateTable
CREATE TABLE "intake_change" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "action" TEXT NOT NULL,
    "account_id" UUID,
    "settlement_id" UUID,
    "file_id" UUID,
    "statement_id" UUID,
    "before" JSONB NOT NULL,
    "after" JSONB,
    "reason" TEXT NOT NULL,
    "changed_by" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "intake_change_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateIndex
CREATE INDEX "intake_change_merchant_id_settlement_id_idx" ON "intake_change"("merchant_id", "settlement_id");
CREATE INDEX "intake_change_merchant_id_account_id_changed_at_idx" ON "intake_change"("merchant_id", "account_id", "changed_at");

-- CreateTable
CREATE TABLE "withdrawn_line" (
    "merchant_id" UUID NOT NULL,
    "change_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "payment_id" UUID,
    "line" JSONB NOT NULL,

    CONSTRAINT "withdrawn_line_pkey" PRIMARY KEY ("merchant_id","change_id","id")
);

-- A line is a fact of the bank's: only the statement that is named for it changes, when that one is withdrawn and another has the line too.
CREATE OR REPLACE FUNCTION keep_bank_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.merchant_id, OLD.id, OLD.mode, OLD.bank_account, OLD.booked_on, OLD.amount, OLD.currency, OLD.text, OLD.dedupe_key, OLD.created_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.mode, NEW.bank_account, NEW.booked_on, NEW.amount, NEW.currency, NEW.text, NEW.dedupe_key, NEW.created_at)
  THEN
    RAISE EXCEPTION 'lines of bank statements do not change';
  END IF;
  RETURN NEW;
END $$;

-- Disputes of payments that are not in the ledger, and what each dispute took back.
ALTER TABLE "dispute"
  ALTER COLUMN "payment_id" DROP NOT NULL,
  ALTER COLUMN "attempt_id" DROP NOT NULL,
  ADD COLUMN "reference" TEXT,
  ADD COLUMN "transaction_id" TEXT,
  ADD COLUMN "taken_back" DECIMAL(30,6) NOT NULL DEFAULT 0;

-- A gateway may name no amount of a payment that is not in the ledger.
ALTER TABLE "dispute" DROP CONSTRAINT "dispute_amount_positive";
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_amount_positive" CHECK ("amount" > 0 OR ("amount" = 0 AND "payment_id" IS NULL));
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_taken_back" CHECK ("taken_back" >= 0 AND "taken_back" <= "amount");

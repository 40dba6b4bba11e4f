-- AlterTable
ALTER TABLE "settlement_source" ADD COLUMN     "fees_at" TIMESTAMPTZ(3),
ADD COLUMN     "fees_to" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "fee_contract" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "applies_from" TIMESTAMPTZ(3) NOT NULL,
    "schedule" JSON,
    "tolerance" DECIMAL(30,6) NOT NULL,
    "note" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "fee_contract_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "effective_rate" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "method" TEXT NOT NULL,
    "amount_from" BIGINT NOT NULL,
    "amount_to" BIGINT,
    "rate_millionths" INTEGER NOT NULL,
    "payments" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "effective_rate_pkey" PRIMARY KEY ("merchant_id","account_id","currency","method","amount_from")
);

-- CreateTable
CREATE TABLE "payment_fee" (
    "merchant_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "method" TEXT,
    "amount" DECIMAL(30,6) NOT NULL,
    "contract_id" UUID,
    "expected" DECIMAL(30,6),
    "reported" DECIMAL(30,6),
    "settled" DECIMAL(30,6),
    "charged" DECIMAL(30,6),
    "excess" DECIMAL(30,6) NOT NULL,
    "settlement_id" UUID,
    "settled_on" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3) NOT NULL,
    "audited_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_fee_pkey" PRIMARY KEY ("merchant_id","payment_id")
);

-- CreateIndex
CREATE INDEX "payment_fee_by_paid" ON "payment_fee"("merchant_id", "mode", "paid_at", "payment_id");

-- CreateIndex
CREATE INDEX "payment_fee_by_settled" ON "payment_fee"("merchant_id", "mode", "settled_on", "payment_id");

-- CreateIndex
CREATE INDEX "payment_fee_by_settlement" ON "payment_fee"("merchant_id", "settlement_id");

-- The price of each account so far, as its first contract, under the account's id.
INSERT INTO "fee_contract" ("merchant_id", "id", "account_id", "applies_from", "schedule", "tolerance", "created_by", "created_at")
SELECT "merchant_id", "id", "id", "created_at", "fees", 0.01, 'system:upgrade', now() FROM "gateway_account" WHERE "fees"::text <> 'null';

-- A contract is what decisions were taken from and fees compared with.
CREATE FUNCTION keep_fee_contract() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'contracts do not change';
END $$;
CREATE TRIGGER keep_fee_contract BEFORE UPDATE ON "fee_contract" FOR EACH ROW EXECUTE FUNCTION keep_fee_contract();

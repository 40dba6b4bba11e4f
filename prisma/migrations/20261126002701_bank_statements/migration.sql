-- CreateTable
CREATE TABLE "bank_statement" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "format" TEXT NOT NULL,
    "lines" INTEGER NOT NULL,
    "known" INTEGER NOT NULL,
    "taken_by" TEXT NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_statement_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "bank_line" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "statement_id" UUID NOT NULL,
    "bank_account" TEXT NOT NULL,
    "booked_on" DATE NOT NULL,
    "amount" DECIMAL(30,6) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "text" TEXT NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_line_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "bank_match" (
    "merchant_id" UUID NOT NULL,
    "bank_line_id" UUID NOT NULL,
    "settlement_id" UUID NOT NULL,
    "matched_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_match_pkey" PRIMARY KEY ("merchant_id","bank_line_id","settlement_id")
);

-- CreateTable
CREATE TABLE "bank_profile" (
    "merchant_id" UUID NOT NULL,
    "bank_account" TEXT NOT NULL,
    "mapping" JSONB NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_profile_pkey" PRIMARY KEY ("merchant_id","bank_account")
);

-- CreateIndex
CREATE INDEX "bank_statement_merchant_id_mode_taken_at_id_idx" ON "bank_statement"("merchant_id", "mode", "taken_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "bank_statement_merchant_id_mode_hash_key" ON "bank_statement"("merchant_id", "mode", "hash");

-- CreateIndex
CREATE INDEX "bank_line_merchant_id_mode_booked_on_id_idx" ON "bank_line"("merchant_id", "mode", "booked_on", "id");

-- CreateIndex
CREATE UNIQUE INDEX "bank_line_merchant_id_mode_bank_account_dedupe_key_key" ON "bank_line"("merchant_id", "mode", "bank_account", "dedupe_key");

-- CreateIndex
CREATE INDEX "bank_match_merchant_id_settlement_id_idx" ON "bank_match"("merchant_id", "settlement_id");

-- A line is a fact of the bank's.
CREATE FUNCTION keep_bank_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'lines of bank statements do not change';
END $$;
CREATE TRIGGER keep_bank_line BEFORE UPDATE ON "bank_line" FOR EACH ROW EXECUTE FUNCTION keep_bank_line();

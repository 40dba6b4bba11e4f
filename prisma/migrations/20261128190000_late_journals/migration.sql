-- CreateTable
CREATE TABLE "late_journal" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "close_id" UUID NOT NULL,
    "month" CHAR(7) NOT NULL,
    "number" INTEGER NOT NULL,
    "posted_on" DATE NOT NULL,
    "made_by" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "late_journal_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "late_journal_item" (
    "merchant_id" UUID NOT NULL,
    "journal_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "amount" DECIMAL(30,6) NOT NULL,
    "day" DATE NOT NULL,
    "payment_id" UUID,
    "settlement_id" UUID,

    CONSTRAINT "late_journal_item_pkey" PRIMARY KEY ("merchant_id","journal_id","kind","subject","account_id","currency")
);

-- CreateIndex
CREATE INDEX "late_journal_merchant_id_close_id_number_idx" ON "late_journal"("merchant_id", "close_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "late_journal_merchant_id_mode_number_key" ON "late_journal"("merchant_id", "mode", "number");

-- What was posted stays.
CREATE FUNCTION keep_late_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'journals of late arrivals do not change';
END $$;
CREATE TRIGGER keep_late_journal BEFORE UPDATE OR DELETE ON "late_journal" FOR EACH ROW EXECUTE FUNCTION keep_late_journal();
CREATE TRIGGER keep_late_journal_item BEFORE UPDATE OR DELETE ON "late_journal_item" FOR EACH ROW EXECUTE FUNCTION keep_late_journal();

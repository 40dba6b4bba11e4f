-- CreateTable
CREATE TABLE "month_close" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "month" CHAR(7) NOT NULL,
    "time_zone" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "hash" CHAR(64) NOT NULL,
    "closed_by" TEXT NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL,
    "reviewed_by" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    "review_note" TEXT,
    "signed_by" TEXT,
    "signed_name" TEXT,
    "signed_at" TIMESTAMPTZ(3),

    CONSTRAINT "month_close_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "month_close_item" (
    "merchant_id" UUID NOT NULL,
    "close_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "amount" DECIMAL(30,6) NOT NULL,
    "day" DATE NOT NULL,
    "payment_id" UUID,
    "settlement_id" UUID,

    CONSTRAINT "month_close_item_pkey" PRIMARY KEY ("merchant_id","close_id","kind","subject","account_id","currency")
);

-- CreateIndex
CREATE UNIQUE INDEX "month_close_merchant_id_mode_month_key" ON "month_close"("merchant_id", "mode", "month");

-- What was frozen stays: a month is reviewed and signed off, each once, and nothing else of it changes.
CREATE FUNCTION keep_month_close() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE'
    AND ROW(NEW.merchant_id, NEW.id, NEW.mode, NEW.month, NEW.time_zone, NEW.document, NEW.hash, NEW.closed_by, NEW.closed_at)
      IS NOT DISTINCT FROM
      ROW(OLD.merchant_id, OLD.id, OLD.mode, OLD.month, OLD.time_zone, OLD.document, OLD.hash, OLD.closed_by, OLD.closed_at)
    AND ((OLD.reviewed_at IS NULL AND OLD.signed_at IS NULL) OR ROW(NEW.reviewed_by, NEW.reviewed_at, NEW.review_note)
      IS NOT DISTINCT FROM ROW(OLD.reviewed_by, OLD.reviewed_at, OLD.review_note))
    AND (OLD.signed_at IS NULL OR ROW(NEW.signed_by, NEW.signed_name, NEW.signed_at)
      IS NOT DISTINCT FROM ROW(OLD.signed_by, OLD.signed_name, OLD.signed_at))
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'closed months do not change';
END $$;
CREATE TRIGGER keep_month_close BEFORE UPDATE OR DELETE ON "month_close" FOR EACH ROW EXECUTE FUNCTION keep_month_close();

CREATE FUNCTION keep_month_close_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'amounts of closed months do not change';
END $$;
CREATE TRIGGER keep_month_close_item BEFORE UPDATE OR DELETE ON "month_close_item" FOR EACH ROW EXECUTE FUNCTION keep_month_close_item();

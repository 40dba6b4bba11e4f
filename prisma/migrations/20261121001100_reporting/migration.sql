-- Numbers for reports: sums by hour and by day, kept from notes that every change of a payment leaves in its own transaction.

ALTER TABLE "payment" ADD COLUMN "paid_attempt_id" UUID;

CREATE TABLE "payment_note_to_count" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "rule_id" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" "payment_status" NOT NULL,
    "payments" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "fees" DECIMAL(30,6) NOT NULL,
    "refunded" BIGINT NOT NULL,
    "late" INTEGER NOT NULL,

    CONSTRAINT "payment_note_to_count_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "payment_hour" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "hour_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "rule_id" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" "payment_status" NOT NULL,
    "payments" BIGINT NOT NULL,
    "amount" BIGINT NOT NULL,
    "fees" DECIMAL(30,6) NOT NULL,
    "refunded" BIGINT NOT NULL,
    "late" BIGINT NOT NULL,

    CONSTRAINT "payment_hour_pkey" PRIMARY KEY ("merchant_id","mode","hour_at","account_id","method","rule_id","currency","status")
);

CREATE TABLE "payment_day" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "day" DATE NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "rule_id" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" "payment_status" NOT NULL,
    "payments" BIGINT NOT NULL,
    "amount" BIGINT NOT NULL,
    "fees" DECIMAL(30,6) NOT NULL,
    "refunded" BIGINT NOT NULL,
    "late" BIGINT NOT NULL,

    CONSTRAINT "payment_day_pkey" PRIMARY KEY ("merchant_id","mode","day","account_id","method","rule_id","currency","status")
);

CREATE TABLE "attempt_note_to_count" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "latency_step" SMALLINT NOT NULL,

    CONSTRAINT "attempt_note_to_count_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "attempt_hour" (
    "merchant_id" UUID NOT NULL,
    "hour_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "latency_step" SMALLINT NOT NULL,
    "attempts" BIGINT NOT NULL,

    CONSTRAINT "attempt_hour_pkey" PRIMARY KEY ("merchant_id","hour_at","account_id","result","latency_step")
);

-- What one payment adds to the sums; nothing while it is only INITIATED. The account is the one that was paid, else the one whose
-- checkout the customer was given, else none. Fees count once there is money.
CREATE FUNCTION "payment_share"(p "payment", sign INTEGER) RETURNS SETOF "payment_note_to_count" LANGUAGE sql STABLE AS $$
  SELECT gen_random_uuid(), p.merchant_id, p.mode, p.created_at,
    COALESCE(a.account_id, '00000000-0000-0000-0000-000000000000'::uuid), COALESCE(a.gateway, ''),
    COALESCE(p.paid_method, p.payment_method, ''), COALESCE(p.rule_id, ''), p.currency, p.status,
    sign, sign * p.amount,
    CASE WHEN p.status IN ('SUCCESS', 'REFUNDED') THEN sign * COALESCE(p.fee_amount, 0) ELSE 0 END,
    sign * p.refunded_amount, CASE WHEN p.late THEN sign ELSE 0 END
  FROM (SELECT 1) AS one LEFT JOIN attempt a
    ON a.merchant_id = p.merchant_id AND a.id = COALESCE(p.paid_attempt_id, p.current_attempt_id)
  WHERE p.status <> 'INITIATED'
$$;

CREATE FUNCTION "note_payment_to_count"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO payment_note_to_count SELECT * FROM payment_share(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO payment_note_to_count SELECT * FROM payment_share(NEW, 1); END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "payment_came" AFTER INSERT ON "payment" FOR EACH ROW
  WHEN (NEW.status <> 'INITIATED') EXECUTE FUNCTION "note_payment_to_count"();
CREATE TRIGGER "payment_went" AFTER DELETE ON "payment" FOR EACH ROW
  WHEN (OLD.status <> 'INITIATED') EXECUTE FUNCTION "note_payment_to_count"();
CREATE TRIGGER "payment_moved" AFTER UPDATE ON "payment" FOR EACH ROW
  WHEN (ROW(OLD.status, OLD.fee_amount, OLD.refunded_amount, OLD.late, OLD.paid_method, OLD.paid_attempt_id, OLD.current_attempt_id)
    IS DISTINCT FROM
    ROW(NEW.status, NEW.fee_amount, NEW.refunded_amount, NEW.late, NEW.paid_method, NEW.paid_attempt_id, NEW.current_attempt_id))
  EXECUTE FUNCTION "note_payment_to_count"();

-- Steps of latency: each is a fifth wider than the one before, from 10 ms on.
CREATE FUNCTION "latency_step"(latency_ms INTEGER) RETURNS SMALLINT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN latency_ms <= 10 THEN 0 ELSE LEAST(60, ceil(ln(latency_ms / 10.0) / ln(1.2)))::smallint END
$$;

CREATE FUNCTION "note_attempt_to_count"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO attempt_note_to_count (merchant_id, created_at, account_id, gateway, result, latency_step)
  VALUES (NEW.merchant_id, NEW.created_at, NEW.account_id, NEW.gateway, COALESCE(NEW.failure_class, 'opened'), latency_step(NEW.latency_ms));
  RETURN NULL;
END $$;

CREATE TRIGGER "attempt_came" AFTER INSERT ON "attempt" FOR EACH ROW
  WHEN (NEW.latency_ms IS NOT NULL) EXECUTE FUNCTION "note_attempt_to_count"();
CREATE TRIGGER "attempt_answered" AFTER UPDATE ON "attempt" FOR EACH ROW
  WHEN (OLD.latency_ms IS NULL AND NEW.latency_ms IS NOT NULL) EXECUTE FUNCTION "note_attempt_to_count"();

-- What is on record already is counted once.
INSERT INTO payment_note_to_count SELECT share.* FROM payment, LATERAL payment_share(payment, 1) AS share;
INSERT INTO attempt_note_to_count (merchant_id, created_at, account_id, gateway, result, latency_step)
  SELECT merchant_id, created_at, account_id, gateway, COALESCE(failure_class, 'opened'), latency_step(latency_ms)
  FROM attempt WHERE latency_ms IS NOT NULL;

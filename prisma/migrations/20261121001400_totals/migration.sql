-- Coarser sums, for questions that ask for no rule: by merchant, account and day, and of all merchants together by hour and by day.

CREATE TYPE "total_step" AS ENUM ('hour', 'day');

CREATE TABLE "payment_total" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "step" "total_step" NOT NULL,
    "begins_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" "payment_status" NOT NULL,
    "payments" BIGINT NOT NULL,
    "amount" BIGINT NOT NULL,
    "fees" DECIMAL(30,6) NOT NULL,
    "refunded" BIGINT NOT NULL,
    "late" BIGINT NOT NULL,

    CONSTRAINT "payment_total_pkey" PRIMARY KEY ("merchant_id","mode","step","begins_at","account_id","gateway","method","currency","status")
);

-- Under this name a process that knows nothing of these sums yet counts no note without them.
ALTER TABLE "payment_note_to_count" RENAME COLUMN "id" TO "note_id";

-- Nobody counts notes meanwhile: what is summed already is added up here, what is not yet waits for the next who counts.
SELECT pg_advisory_xact_lock(7240117);

INSERT INTO "payment_total"
  SELECT merchant_id, mode, 'day', day::timestamp AT TIME ZONE 'Africa/Lagos', account_id, gateway, method, currency, status,
    sum(payments), sum(amount), sum(fees), sum(refunded), sum(late)
  FROM "payment_day" GROUP BY merchant_id, mode, day, account_id, gateway, method, currency, status;

INSERT INTO "payment_total"
  SELECT '00000000-0000-0000-0000-000000000000', mode, 'hour', hour_at, '00000000-0000-0000-0000-000000000000', gateway, method, currency,
    status, sum(payments), sum(amount), sum(fees), sum(refunded), sum(late)
  FROM "payment_hour" GROUP BY mode, hour_at, gateway, method, currency, status;

INSERT INTO "payment_total"
  SELECT merchant_id, mode, 'day', date_trunc('day', begins_at, 'Africa/Lagos') AS day_at, account_id, gateway, method, currency, status,
    sum(payments), sum(amount), sum(fees), sum(refunded), sum(late)
  FROM "payment_total" WHERE step = 'hour' GROUP BY merchant_id, mode, day_at, account_id, gateway, method, currency, status;

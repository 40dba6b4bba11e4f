-- Sums of payments in one table, told apart as finely as they are asked for: besides hours and days there are weeks and months, so that
-- a month's question adds up a third of what it did, and a year's a twentieth.

CREATE TYPE "sum_detail" AS ENUM ('rules', 'accounts', 'everyone');
CREATE TYPE "sum_step" AS ENUM ('hour', 'day', 'week', 'month');

CREATE TABLE "payment_sum" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "detail" "sum_detail" NOT NULL,
    "step" "sum_step" NOT NULL,
    "begins_at" TIMESTAMPTZ(3) NOT NULL,
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

    CONSTRAINT "payment_sum_pkey" PRIMARY KEY ("merchant_id","mode","detail","step","begins_at","account_id","gateway","method","rule_id","currency","status")
);

-- Nobody counts notes meanwhile: what is summed already is added up here, what is not yet waits for the next who counts.
SELECT pg_advisory_xact_lock(7240117);

INSERT INTO "payment_sum"
  SELECT merchant_id, mode, 'rules', 'hour', hour_at, account_id, gateway, method, rule_id, currency, status,
    payments, amount, fees, refunded, late
  FROM "payment_hour" ORDER BY merchant_id, mode, hour_at;

INSERT INTO "payment_sum"
  SELECT merchant_id, mode, 'rules', 'day', date_trunc('day', begins_at, 'Africa/Lagos') AS at, account_id, gateway, method, rule_id, currency,
    status, sum(payments), sum(amount), sum(fees), sum(refunded), sum(late)
  FROM "payment_sum" GROUP BY merchant_id, mode, at, account_id, gateway, method, rule_id, currency, status;

INSERT INTO "payment_sum"
  SELECT merchant_id, mode, 'rules', part.step, date_trunc(part.step::text, begins_at, 'Africa/Lagos') AS at, account_id, gateway, method, rule_id,
    currency, status, sum(payments), sum(amount), sum(fees), sum(refunded), sum(late)
  FROM "payment_sum" AS s, unnest('{week,month}'::sum_step[]) AS part (step) WHERE s.step = 'day'
  GROUP BY merchant_id, mode, part.step, at, account_id, gateway, method, rule_id, currency, status;

INSERT INTO "payment_sum"
  SELECT merchant_id, mode, 'accounts', step, begins_at, account_id, gateway, method, '', currency, status,
    sum(payments), sum(amount), sum(fees), sum(refunded), sum(late)
  FROM "payment_sum" WHERE step <> 'hour'
  GROUP BY merchant_id, mode, step, begins_at, account_id, gateway, method, currency, status;

INSERT INTO "payment_sum"
  SELECT '00000000-0000-0000-0000-000000000000', mode, 'everyone', step, begins_at, '00000000-0000-0000-0000-000000000000', gateway, method, '',
    currency, status, sum(payments), sum(amount), sum(fees), sum(refunded), sum(late)
  FROM "payment_sum" WHERE detail = 'rules' GROUP BY mode, step, begins_at, gateway, method, currency, status;

-- A process that knows nothing of these sums yet counts no note without them: its tables are gone.
DROP TABLE "payment_hour", "payment_day", "payment_total";
DROP TYPE "total_step";

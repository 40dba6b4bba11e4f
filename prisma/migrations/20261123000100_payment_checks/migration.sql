-- What is due, and when, changes several times in a payment's life, beside a row that is wide and has many indexes. It is a table of
-- its own: a row for each payment that is still followed up, and none for the others.
CREATE TABLE "payment_check" (
    "merchant_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,
    "initiating" BOOLEAN NOT NULL,
    "check_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "payment_check_pkey" PRIMARY KEY ("merchant_id", "payment_id")
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

LOCK TABLE "payment" IN ACCESS EXCLUSIVE MODE;

INSERT INTO "payment_check" ("merchant_id", "payment_id", "next_check_at", "initiating", "check_count")
SELECT "merchant_id", "id", "next_check_at", "status" = 'INITIATED', "check_count" FROM "payment" WHERE "next_check_at" IS NOT NULL;

CREATE INDEX "payment_check_due" ON "payment_check" ("next_check_at");

-- Its index goes with the column.
ALTER TABLE "payment" DROP COLUMN "next_check_at", DROP COLUMN "check_count";

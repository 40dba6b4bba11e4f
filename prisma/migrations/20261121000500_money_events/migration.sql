-- What merchants are told of their payments, and money that came a second time.

CREATE TYPE "duplicate_charge_state" AS ENUM ('OPEN', 'REFUNDING', 'REFUNDED', 'DISMISSED');

CREATE TABLE "duplicate_charge" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "payment_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "amount" DECIMAL(30,6) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "state" "duplicate_charge_state" NOT NULL,
    "refund_id" UUID,
    "note" TEXT,
    "resolved_by" TEXT,
    "resolved_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "duplicate_charge_pkey" PRIMARY KEY ("merchant_id","id")
);

CREATE UNIQUE INDEX "duplicate_charge_merchant_id_account_id_transaction_id_key" ON "duplicate_charge"("merchant_id", "account_id", "transaction_id");
CREATE INDEX "duplicate_charge_merchant_id_mode_created_at_id_idx" ON "duplicate_charge"("merchant_id", "mode", "created_at", "id");
CREATE INDEX "duplicate_charge_merchant_id_payment_id_idx" ON "duplicate_charge"("merchant_id", "payment_id");
CREATE INDEX "duplicate_charge_open" ON "duplicate_charge" ("merchant_id", "mode", "created_at") WHERE "state" IN ('OPEN', 'REFUNDING');

CREATE TABLE "merchant_event" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "payment_id" UUID,
    "position" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_event_pkey" PRIMARY KEY ("merchant_id","id")
);

CREATE INDEX "merchant_event_merchant_id_mode_created_at_id_idx" ON "merchant_event"("merchant_id", "mode", "created_at", "id");
CREATE INDEX "merchant_event_merchant_id_payment_id_idx" ON "merchant_event"("merchant_id", "payment_id");

-- A delivery says what its event says; the body is the event's.
ALTER TABLE "webhook_delivery" DROP COLUMN "body", ADD COLUMN "position" INTEGER NOT NULL, ALTER COLUMN "payment_id" DROP NOT NULL;

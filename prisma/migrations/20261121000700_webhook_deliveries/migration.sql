-- What became of each try to deliver an event, rotation of secrets, and sending a period again.

ALTER TABLE "webhook_endpoint"
    ADD COLUMN "description" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "previous_secret_ends_at" TIMESTAMPTZ(3),
    ADD COLUMN "last_failed_at" TIMESTAMPTZ(3),
    ADD COLUMN "last_delivered_at" TIMESTAMPTZ(3),
    ADD COLUMN "removed_at" TIMESTAMPTZ(3);

ALTER TABLE "webhook_delivery"
    DROP COLUMN "last_answer",
    ADD COLUMN "round_tries" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "delivered_at" TIMESTAMPTZ(3),
    ADD COLUMN "last_failure" TEXT,
    ADD COLUMN "resend_id" UUID;

DROP INDEX "webhook_delivery_merchant_id_endpoint_id_created_at_idx";
CREATE INDEX "webhook_delivery_merchant_id_endpoint_id_created_at_id_idx" ON "webhook_delivery"("merchant_id", "endpoint_id", "created_at", "id");
CREATE INDEX "webhook_delivery_merchant_id_payment_id_idx" ON "webhook_delivery"("merchant_id", "payment_id");
-- What is due, over all; the next one of an endpoint; and whether an earlier event of the same payment still waits.
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" ("next_attempt_at") WHERE "state" = 'PENDING';
CREATE INDEX "webhook_delivery_next" ON "webhook_delivery" ("merchant_id", "endpoint_id", "next_attempt_at") WHERE "state" = 'PENDING';
CREATE INDEX "webhook_delivery_order" ON "webhook_delivery" ("merchant_id", "endpoint_id", "payment_id", "position", "id") WHERE "state" = 'PENDING';
CREATE INDEX "webhook_delivery_resent" ON "webhook_delivery" ("merchant_id", "resend_id", "state") WHERE "resend_id" IS NOT NULL;

CREATE TABLE "webhook_try" (
    "merchant_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "delivered" BOOLEAN NOT NULL,
    "status" INTEGER,
    "failure" TEXT,
    "answer" TEXT,

    CONSTRAINT "webhook_try_pkey" PRIMARY KEY ("merchant_id","delivery_id","number")
);

CREATE INDEX "webhook_try_merchant_id_endpoint_id_started_at_idx" ON "webhook_try"("merchant_id", "endpoint_id", "started_at");

CREATE TABLE "webhook_resend" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "types" TEXT[],
    "only_undelivered" BOOLEAN NOT NULL,
    "total" INTEGER NOT NULL,
    "queued" INTEGER NOT NULL,
    "cursor_at" TIMESTAMPTZ(3),
    "cursor_id" UUID,
    "requested_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_resend_pkey" PRIMARY KEY ("merchant_id","id")
);

CREATE INDEX "webhook_resend_merchant_id_endpoint_id_created_at_idx" ON "webhook_resend"("merchant_id", "endpoint_id", "created_at");
CREATE INDEX "webhook_resend_unfinished" ON "webhook_resend" ("updated_at") WHERE "finished_at" IS NULL;

-- Control over refunds that people request, by merchant, and the reason code of a refund.
SET lock_timeout = '2s';

ALTER TABLE "refund" ADD COLUMN "reason_code" TEXT;

CREATE TABLE "refund_control" (
    "merchant_id" UUID NOT NULL,
    "second_person_above" BIGINT,
    "daily_limits" JSON NOT NULL,
    "reason_codes" JSON NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refund_control_pkey" PRIMARY KEY ("merchant_id")
);

CREATE TABLE "repeated_payment" (
  "merchant_id" UUID NOT NULL,
  "payment_id" UUID NOT NULL,
  "repeats_id" UUID NOT NULL,
  "mode" "mode" NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "repeated_payment_pkey" PRIMARY KEY ("merchant_id", "payment_id", "repeats_id")
);
CREATE INDEX "repeated_payment_created_at_idx" ON "repeated_payment" ("created_at");

ALTER TYPE "incident_kind" ADD VALUE 'repeated_payment';

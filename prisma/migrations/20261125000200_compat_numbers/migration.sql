-- Gateways number their transactions and refunds, and merchants' code stores the numbers. One is made the first time an object is shown
-- in a gateway's form; numbers are a merchant's own, so that they need no sequence.
CREATE TABLE "compat_number" (
    "merchant_id" UUID NOT NULL,
    "object_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "dialect" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "compat_number_pkey" PRIMARY KEY ("merchant_id", "object_id"),
    CONSTRAINT "compat_number_is_safe" CHECK ("number" BETWEEN 1 AND 9007199254740991)
);

CREATE UNIQUE INDEX "compat_number_merchant_id_number_key" ON "compat_number"("merchant_id", "number");

-- Accounts as decisions were taken from them, by their content.
CREATE TABLE "account_snapshot" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "accounts" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_snapshot_pkey" PRIMARY KEY ("merchant_id","id")
);

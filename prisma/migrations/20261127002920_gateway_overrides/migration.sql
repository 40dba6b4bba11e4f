-- One override for all accounts of a gateway, and overrides that end by themselves once the gateway has recovered.
ALTER TABLE "routing_override"
  ALTER COLUMN "account_id" DROP NOT NULL,
  ADD COLUMN "gateway" TEXT,
  ADD COLUMN "mode" "mode",
  ADD COLUMN "put_back" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "troubled_at" TIMESTAMPTZ(3),
  ADD COLUMN "recovered_at" TIMESTAMPTZ(3);

-- What a gateway refuses of an account as it is configured: the account is out of rotation until somebody mends it.

CREATE TYPE "configuration_fault" AS ENUM ('CREDENTIALS', 'SETTINGS');

ALTER TABLE "gateway_account"
  ADD COLUMN "configuration_fault" "configuration_fault",
  ADD COLUMN "configuration_fault_message" TEXT,
  ADD COLUMN "configuration_fault_at" TIMESTAMPTZ(3);

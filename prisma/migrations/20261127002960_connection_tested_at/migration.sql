-- When the gateway last accepted the account's credentials in a connection test; null since they or the address changed.
ALTER TABLE "gateway_account" ADD COLUMN "connection_tested_at" TIMESTAMPTZ(3);

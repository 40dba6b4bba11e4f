-- As attempts: never taken for one of those by reference or by the key that finds repetitions. Counts need no row.
CREATE INDEX CONCURRENTLY "gateway_webhook_by_account_and_state" ON "gateway_webhook" ("account_id", "state", "received_at", "id")
  INCLUDE ("merchant_id");

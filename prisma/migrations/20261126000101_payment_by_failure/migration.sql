-- Failed payments by their reason, newest first.
CREATE INDEX CONCURRENTLY "payment_by_failure" ON "payment" ("merchant_id", "mode", "failure_reason", "created_at", "id")
  WHERE "failure_reason" IS NOT NULL;

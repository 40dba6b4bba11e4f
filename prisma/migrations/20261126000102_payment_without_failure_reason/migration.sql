-- Failed payments whose reason is still to be filled in; empty afterwards.
CREATE INDEX CONCURRENTLY "payment_without_failure_reason" ON "payment" ("merchant_id", "id")
  WHERE "status" = 'FAILED' AND "failure_reason" IS NULL;

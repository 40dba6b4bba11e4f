CREATE INDEX CONCURRENTLY "payment_by_unusual_status" ON "payment" ("merchant_id", "mode", "unusual_status", "created_at", "id")
  WHERE "unusual_status" IS NOT NULL;

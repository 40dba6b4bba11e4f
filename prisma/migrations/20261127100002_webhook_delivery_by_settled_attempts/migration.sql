CREATE INDEX CONCURRENTLY "webhook_delivery_by_settled_attempts" ON "webhook_delivery" ("merchant_id", "endpoint_id", "settled_attempts", "created_at", "id")
  WHERE "settled_attempts" IS NOT NULL;

CREATE INDEX CONCURRENTLY "payment_by_creation" ON "payment" ("merchant_id", "mode", "created_at", "id")
  INCLUDE ("unusual_status", "recommended_gateway", "payment_method", "amount", "rule_id");

CREATE INDEX CONCURRENTLY "payment_of_all_by_creation" ON "payment" ("mode", "created_at", "id")
  INCLUDE ("merchant_id", "unusual_status", "recommended_gateway", "payment_method", "amount", "rule_id");

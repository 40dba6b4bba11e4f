-- The list's own index carries what lists are mostly narrowed by, so that what does not match is passed over without reading the row.

DROP INDEX "payment_merchant_id_mode_created_at_id_idx";
CREATE INDEX "payment_merchant_id_mode_created_at_id_idx" ON "payment" ("merchant_id", "mode", "created_at", "id")
  INCLUDE ("status", "recommended_gateway", "payment_method", "amount", "rule_id");
DROP INDEX "payment_by_rule";

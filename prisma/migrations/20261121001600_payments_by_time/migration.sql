-- Lists of all merchants' payments are read by time alone. What they are mostly narrowed by is carried along, so that what does not
-- match is passed over without reading the row.
CREATE INDEX "payment_by_time" ON "payment" ("mode", "created_at", "id")
  INCLUDE ("merchant_id", "status", "recommended_gateway", "payment_method", "amount", "rule_id");

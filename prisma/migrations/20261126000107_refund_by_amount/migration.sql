-- Refunds sorted by amount, and equal ones by id.
CREATE INDEX CONCURRENTLY "refund_by_amount" ON "refund" ("merchant_id", "mode", "amount", "id");

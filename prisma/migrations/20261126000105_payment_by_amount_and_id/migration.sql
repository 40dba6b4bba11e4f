-- Payments sorted by amount, and equal ones by id, so that a page continues where the one before ended.
CREATE INDEX CONCURRENTLY "payment_by_amount_and_id" ON "payment" ("merchant_id", "mode", "amount", "id");

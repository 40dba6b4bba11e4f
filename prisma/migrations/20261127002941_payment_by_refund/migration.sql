-- Payments of which money was refunded, newest first. Without the status: an index that names it would be written at each change of it.
CREATE INDEX CONCURRENTLY "payment_by_refund" ON "payment" ("merchant_id", "mode", "created_at", "id") WHERE "refunded_amount" > 0;

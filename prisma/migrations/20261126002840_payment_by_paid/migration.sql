-- Payments by when they were paid, by blocks: an update that changes columns of such indexes alone stays in its page.
CREATE INDEX CONCURRENTLY "payment_by_paid" ON "payment" USING BRIN ("paid_at");

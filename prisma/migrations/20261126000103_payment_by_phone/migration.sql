-- Payments by the last seven digits of the customer's phone number, however it is written; payments without one cost nothing.
CREATE INDEX CONCURRENTLY "payment_by_phone" ON "payment"
  ("merchant_id", "mode", right(regexp_replace("customer_phone", '\D', '', 'g'), 7), "created_at", "id")
  WHERE "customer_phone" IS NOT NULL;

-- Payments by the last seven digits of the customer's phone number, the last one first: found by all seven in the order of time, and by
-- the last few. Payments without a number cost nothing.
CREATE INDEX CONCURRENTLY "payment_by_phone_end" ON "payment"
  ("merchant_id", "mode", (reverse(right(regexp_replace("customer_phone", '\D', '', 'g'), 7))) COLLATE "C", "created_at", "id")
  WHERE "customer_phone" IS NOT NULL;

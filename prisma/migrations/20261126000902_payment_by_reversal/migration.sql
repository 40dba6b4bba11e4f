-- Payments of which a gateway took money back, newest first: for lists, incidents and the attention list.
CREATE INDEX CONCURRENTLY "payment_by_reversal" ON "payment" ("merchant_id", "mode", "created_at", "id")
  WHERE "reversed_at" IS NOT NULL;

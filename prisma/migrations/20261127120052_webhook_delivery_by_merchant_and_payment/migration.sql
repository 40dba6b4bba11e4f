CREATE INDEX CONCURRENTLY "webhook_delivery_merchant_id_payment_id_idx" ON "webhook_delivery" ("merchant_id", "payment_id");

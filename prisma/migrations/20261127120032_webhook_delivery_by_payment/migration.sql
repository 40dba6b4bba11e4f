CREATE INDEX CONCURRENTLY "webhook_delivery_payment_id_idx" ON "webhook_delivery" ("payment_id");

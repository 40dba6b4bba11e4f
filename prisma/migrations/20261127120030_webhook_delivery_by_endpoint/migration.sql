-- An endpoint, a payment and a transaction are one merchant's: an index that begins with them needs no merchant before.
CREATE INDEX CONCURRENTLY "webhook_delivery_endpoint_id_created_at_id_idx" ON "webhook_delivery" ("endpoint_id", "created_at", "id");

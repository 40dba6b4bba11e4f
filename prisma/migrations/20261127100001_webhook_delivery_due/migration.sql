CREATE INDEX CONCURRENTLY "webhook_delivery_due" ON "webhook_delivery" ("merchant_id", "endpoint_id", "due_at") WHERE "state" = 'PENDING';

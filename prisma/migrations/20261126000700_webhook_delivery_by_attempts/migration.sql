-- Finished deliveries by attempts, without those of one attempt, which are most: an ordinary delivery never enters the index.
CREATE INDEX CONCURRENTLY "webhook_delivery_by_attempts" ON "webhook_delivery" ("merchant_id", "endpoint_id", "attempts", "created_at", "id") WHERE "state" <> 'PENDING' AND "attempts" <> 1;

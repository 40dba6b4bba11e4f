-- Webhooks that wait for their follow-up. A claim moves "follow_up_at" alone, which no index has.
CREATE INDEX CONCURRENTLY "gateway_webhook_to_follow" ON "gateway_webhook" ("merchant_id", "received_at") WHERE "follow_up" IS NOT NULL;

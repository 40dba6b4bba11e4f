-- Webhooks of a gateway account by state, in the order in which they were received.
CREATE INDEX CONCURRENTLY "gateway_webhook_by_state" ON "gateway_webhook" ("merchant_id", "account_id", "state", "received_at", "id");

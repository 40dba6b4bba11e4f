-- Ids follow the time at which webhooks were received: the key serves what is asked by time.
DROP INDEX CONCURRENTLY "gateway_webhook_merchant_id_received_at_idx";

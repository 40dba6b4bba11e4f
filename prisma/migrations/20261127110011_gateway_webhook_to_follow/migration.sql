DROP INDEX CONCURRENTLY "gateway_webhook_to_follow";

DROP INDEX CONCURRENTLY "gateway_webhook_follow_up";

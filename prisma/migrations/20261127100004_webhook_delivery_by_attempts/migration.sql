DROP INDEX CONCURRENTLY "webhook_delivery_by_attempts";

DROP INDEX CONCURRENTLY "webhook_delivery_resent";

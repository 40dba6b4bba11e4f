DROP INDEX CONCURRENTLY "gateway_webhook_by_payment";

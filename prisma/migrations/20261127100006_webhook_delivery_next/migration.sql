-- Processes of before find pending deliveries of an endpoint in "webhook_delivery_due".
DROP INDEX CONCURRENTLY "webhook_delivery_next";

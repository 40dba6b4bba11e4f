-- What is due over all is read from "webhook_delivery_next", endpoint by endpoint: pending deliveries are few.
DROP INDEX CONCURRENTLY "webhook_delivery_due";

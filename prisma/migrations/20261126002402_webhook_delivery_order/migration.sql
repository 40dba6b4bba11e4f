-- Whether an earlier event of a payment waits is seen from the deliveries of the payment, which are few.
DROP INDEX CONCURRENTLY "webhook_delivery_order";

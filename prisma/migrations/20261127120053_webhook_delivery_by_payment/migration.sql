DROP INDEX CONCURRENTLY "webhook_delivery_payment_id_idx";

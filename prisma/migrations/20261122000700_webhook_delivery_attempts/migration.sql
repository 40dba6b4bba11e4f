-- Attempts at webhook deliveries get the name that the documentation uses. Nothing is rewritten.

ALTER TABLE "webhook_delivery" RENAME COLUMN "round_tries" TO "round_attempts";

ALTER TABLE "webhook_try" RENAME TO "webhook_delivery_attempt";
ALTER TABLE "webhook_delivery_attempt" RENAME CONSTRAINT "webhook_try_pkey" TO "webhook_delivery_attempt_pkey";
ALTER INDEX "webhook_try_merchant_id_endpoint_id_started_at_idx" RENAME TO "webhook_delivery_attempt_merchant_id_endpoint_id_started_at_idx";

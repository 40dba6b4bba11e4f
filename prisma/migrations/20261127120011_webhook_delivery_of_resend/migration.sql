-- Without the state: what an index has of a delivery does not change when it is made.
CREATE INDEX CONCURRENTLY "webhook_delivery_of_resend" ON "webhook_delivery" ("merchant_id", "resend_id") WHERE "resend_id" IS NOT NULL;

-- An endpoint can be sent events in the form of a gateway, for code that was written for that gateway.
ALTER TABLE "webhook_endpoint" ADD COLUMN "format" TEXT NOT NULL DEFAULT 'switchyard';

-- The translated body, kept from the first attempt, so that retries send the same bytes.
ALTER TABLE "webhook_delivery" ADD COLUMN "body" TEXT;

-- When the certificate that an https endpoint last showed expires. Null: none was seen yet.
ALTER TABLE "webhook_endpoint" ADD COLUMN "certificate_expires_at" TIMESTAMPTZ(3);

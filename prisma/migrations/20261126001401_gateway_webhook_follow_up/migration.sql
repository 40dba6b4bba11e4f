-- Webhooks whose job may be missing: those of the last seconds, as a rule.
CREATE INDEX CONCURRENTLY "gateway_webhook_follow_up" ON "gateway_webhook" ("follow_up_at") WHERE "follow_up_at" IS NOT NULL;

-- The job that follows a webhook up is added once the webhook is committed. Where the process ends in between, workers find it here.
ALTER TABLE "gateway_webhook" ADD COLUMN "follow_up" JSON, ADD COLUMN "follow_up_at" TIMESTAMPTZ(3);

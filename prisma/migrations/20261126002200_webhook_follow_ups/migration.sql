ALTER TABLE "gateway_webhook" ADD COLUMN "follow_up_tries" SMALLINT NOT NULL DEFAULT 0;

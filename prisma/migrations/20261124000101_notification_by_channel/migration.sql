-- The last message of each channel.
CREATE INDEX "notification_by_channel" ON "notification" ("channel_id", "updated_at" DESC) WHERE "state" IN ('SENT', 'FAILED');

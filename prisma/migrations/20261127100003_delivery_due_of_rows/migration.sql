-- Deliveries of before. Others go on meanwhile; a change of one of these waits.
UPDATE "webhook_delivery" SET "due_at" = "next_attempt_at" WHERE "state" = 'PENDING' AND "due_at" IS NULL;
UPDATE "webhook_delivery" SET "settled_attempts" = "attempts"
WHERE "state" <> 'PENDING' AND "attempts" <> 1 AND "settled_attempts" IS NULL;

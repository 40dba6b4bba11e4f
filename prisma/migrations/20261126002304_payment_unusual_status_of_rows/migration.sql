-- Payments of before. Others go on meanwhile; a change of one of these waits.
UPDATE "payment" SET "unusual_status" = "status" WHERE "status" IN ('FAILED', 'REFUNDED') AND "unusual_status" IS NULL;

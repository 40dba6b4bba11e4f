-- A schedule may change its format after a file was made.
ALTER TABLE "report_run" ADD COLUMN "format" "report_format";

UPDATE "report_run" AS run SET "format" = schedule."format" FROM "report_schedule" AS schedule
WHERE schedule."merchant_id" = run."merchant_id" AND schedule."id" = run."schedule_id" AND run."made_at" IS NOT NULL;

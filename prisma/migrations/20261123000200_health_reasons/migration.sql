-- Why an account is in its health state is stored as facts. What was stored before is a sentence, and stays one: a string in JSON.
ALTER TABLE "health_status" ALTER COLUMN "why" SET DATA TYPE JSON USING to_json("why");
ALTER TABLE "health_event" ALTER COLUMN "why" SET DATA TYPE JSON USING to_json("why");

-- An attempt that was given up may turn out to have opened its checkout after all, when the process that began it was only held up.
-- Its first answer is then taken back from the sums, and the other counted.
ALTER TABLE "attempt_note_to_count" ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 1;

CREATE OR REPLACE FUNCTION "note_attempt_to_count"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.latency_ms IS NOT NULL THEN
    INSERT INTO attempt_note_to_count (merchant_id, created_at, account_id, gateway, result, latency_step, attempts)
    VALUES (OLD.merchant_id, OLD.created_at, OLD.account_id, OLD.gateway, COALESCE(OLD.failure_class, 'opened'), latency_step(OLD.latency_ms), -1);
  END IF;
  IF NEW.latency_ms IS NOT NULL THEN
    INSERT INTO attempt_note_to_count (merchant_id, created_at, account_id, gateway, result, latency_step)
    VALUES (NEW.merchant_id, NEW.created_at, NEW.account_id, NEW.gateway, COALESCE(NEW.failure_class, 'opened'), latency_step(NEW.latency_ms));
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER "attempt_answered" ON "attempt";
CREATE TRIGGER "attempt_answered" AFTER UPDATE ON "attempt" FOR EACH ROW
  WHEN (ROW(OLD.latency_ms, OLD.failure_class) IS DISTINCT FROM ROW(NEW.latency_ms, NEW.failure_class))
  EXECUTE FUNCTION "note_attempt_to_count"();

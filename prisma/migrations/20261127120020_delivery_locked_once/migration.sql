-- A trigger before an update has each row locked first, which the log has besides the update. The functions of the path set what this one sets;
-- after the update it does so for statements that do not, as those of earlier versions.
SET lock_timeout = '2s';

DROP TRIGGER "webhook_delivery_due_again" ON "webhook_delivery";
CREATE FUNCTION "change_delivery_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_delivery SET due_at = CASE WHEN state = 'PENDING' THEN next_attempt_at END,
    settled_attempts = CASE WHEN state <> 'PENDING' AND attempts <> 1 THEN attempts END
  WHERE merchant_id = NEW.merchant_id AND id = NEW.id;
  RETURN NULL;
END $$;
-- A claim adds an attempt to a pending delivery.
CREATE TRIGGER "webhook_delivery_due_again" AFTER UPDATE OF "state", "attempts", "next_attempt_at" ON "webhook_delivery" FOR EACH ROW
  WHEN ((NEW."state" <> 'PENDING' OR NEW."attempts" = OLD."attempts")
    AND (NEW."due_at" IS DISTINCT FROM CASE WHEN NEW."state" = 'PENDING' THEN NEW."next_attempt_at" END
      OR NEW."settled_attempts" IS DISTINCT FROM CASE WHEN NEW."state" <> 'PENDING' AND NEW."attempts" <> 1 THEN NEW."attempts" END))
  EXECUTE FUNCTION "change_delivery_due"();

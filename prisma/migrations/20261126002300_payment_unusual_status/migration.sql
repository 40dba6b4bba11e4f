-- A payment changes its status twice before it is paid, and each time PostgreSQL writes all indexes of the row again when one of them has the
-- status. What lists look for in an index is the statuses that few payments have: they have a column of their own, which stays null on the way
-- from INITIATED to SUCCESS.
SET lock_timeout = '2s';

-- Of an updated row the log has what lies between the first and the last byte that changed: in a new database the status stands behind what
-- never changes. Tables with rows keep their order.
DO $$
BEGIN
  IF EXISTS (SELECT FROM "payment") THEN RETURN; END IF;
  DROP TRIGGER "payment_rollup_insert" ON "payment";
  DROP TRIGGER "payment_rollup_delete" ON "payment";
  ALTER TABLE "payment" DROP COLUMN "status";
  ALTER TABLE "payment" ADD COLUMN "status" "payment_status" NOT NULL;
  CREATE TRIGGER "payment_rollup_insert" AFTER INSERT ON "payment" FOR EACH ROW
    WHEN (NEW."status" <> 'INITIATED') EXECUTE FUNCTION "record_payment_rollup_change"();
  CREATE TRIGGER "payment_rollup_delete" AFTER DELETE ON "payment" FOR EACH ROW
    WHEN (OLD."status" <> 'INITIATED') EXECUTE FUNCTION "record_payment_rollup_change"();
  ALTER TABLE "attempt" DROP COLUMN "state";
  ALTER TABLE "attempt" ADD COLUMN "state" "attempt_state" NOT NULL;
END $$;

ALTER TABLE "payment" ADD COLUMN "unusual_status" "payment_status";

CREATE FUNCTION "set_unusual_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.unusual_status := CASE WHEN NEW.status IN ('FAILED', 'REFUNDED') THEN NEW.status END;
  RETURN NEW;
END $$;

CREATE TRIGGER "payment_unusual_status" BEFORE INSERT OR UPDATE OF "status" ON "payment" FOR EACH ROW
  WHEN (NEW."unusual_status" IS DISTINCT FROM CASE WHEN NEW."status" IN ('FAILED', 'REFUNDED') THEN NEW."status" END)
  EXECUTE FUNCTION "set_unusual_status"();

-- Deliveries that are to be made, apart from those that were: one that leaves an index of its table has all of its indexes written again.
SET lock_timeout = '2s';

CREATE TABLE "due_delivery" (
  "merchant_id" UUID NOT NULL,
  "endpoint_id" UUID NOT NULL,
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  "delivery_id" UUID NOT NULL,
  CONSTRAINT "due_delivery_pkey" PRIMARY KEY ("merchant_id", "endpoint_id", "due_at", "delivery_id")
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Whatever writes a delivery, an earlier version too, and whatever time another trigger gave it.
CREATE FUNCTION "keep_due_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.due_at IS NOT NULL THEN
    DELETE FROM due_delivery
    WHERE merchant_id = OLD.merchant_id AND endpoint_id = OLD.endpoint_id AND due_at = OLD.due_at AND delivery_id = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.due_at IS NOT NULL THEN
    INSERT INTO due_delivery (merchant_id, endpoint_id, due_at, delivery_id) VALUES (NEW.merchant_id, NEW.endpoint_id, NEW.due_at, NEW.id);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "webhook_delivery_becomes_due" AFTER INSERT ON "webhook_delivery" FOR EACH ROW
  WHEN (NEW."due_at" IS NOT NULL) EXECUTE FUNCTION "keep_due_delivery"();
CREATE TRIGGER "webhook_delivery_due_changed" AFTER UPDATE ON "webhook_delivery" FOR EACH ROW
  WHEN (OLD."due_at" IS DISTINCT FROM NEW."due_at") EXECUTE FUNCTION "keep_due_delivery"();
CREATE TRIGGER "webhook_delivery_deleted" AFTER DELETE ON "webhook_delivery" FOR EACH ROW
  WHEN (OLD."due_at" IS NOT NULL) EXECUTE FUNCTION "keep_due_delivery"();

-- Deliveries of before. The triggers keep others from being written until this is done.
INSERT INTO "due_delivery" ("merchant_id", "endpoint_id", "due_at", "delivery_id")
SELECT "merchant_id", "endpoint_id", "due_at", "id" FROM "webhook_delivery" WHERE "state" = 'PENDING' AND "due_at" IS NOT NULL;

-- A delivery that is claimed changes no index: what is due is found by a time of its own, which the lease does not move, and attempts are in an
-- index once they are over and more than one. A trigger sets both columns where a statement does not, so that earlier versions may write
-- beside this one.
SET lock_timeout = '2s';

ALTER TABLE "webhook_delivery" ADD COLUMN "due_at" TIMESTAMPTZ(3), ADD COLUMN "settled_attempts" INTEGER;
-- Room for the second version of a row beside the first.
ALTER TABLE "webhook_delivery" SET (fillfactor = 85);

CREATE FUNCTION "set_delivery_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.due_at := CASE WHEN NEW.state = 'PENDING' THEN NEW.next_attempt_at END;
  NEW.settled_attempts := CASE WHEN NEW.state <> 'PENDING' AND NEW.attempts <> 1 THEN NEW.attempts END;
  RETURN NEW;
END $$;

CREATE TRIGGER "webhook_delivery_inserted" BEFORE INSERT ON "webhook_delivery" FOR EACH ROW
  WHEN (NEW."due_at" IS DISTINCT FROM CASE WHEN NEW."state" = 'PENDING' THEN NEW."next_attempt_at" END
    OR NEW."settled_attempts" IS DISTINCT FROM CASE WHEN NEW."state" <> 'PENDING' AND NEW."attempts" <> 1 THEN NEW."attempts" END)
  EXECUTE FUNCTION "set_delivery_due"();
-- A claim adds an attempt to a pending delivery.
CREATE TRIGGER "webhook_delivery_due_again" BEFORE UPDATE OF "state", "attempts", "next_attempt_at" ON "webhook_delivery" FOR EACH ROW
  WHEN ((NEW."state" <> 'PENDING' OR NEW."attempts" = OLD."attempts")
    AND (NEW."due_at" IS DISTINCT FROM CASE WHEN NEW."state" = 'PENDING' THEN NEW."next_attempt_at" END
      OR NEW."settled_attempts" IS DISTINCT FROM CASE WHEN NEW."state" <> 'PENDING' AND NEW."attempts" <> 1 THEN NEW."attempts" END))
  EXECUTE FUNCTION "set_delivery_due"();

CREATE OR REPLACE FUNCTION "announce_events"(merchant UUID, events JSON, of_payments UUID[] DEFAULT NULL)
RETURNS TABLE (about UUID, endpoint UUID) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO merchant_event (merchant_id, id, mode, payment_id, position, type, body, created_at)
  SELECT merchant_id, id, mode, payment_id, position, type, body, at
  FROM json_to_recordset(events) AS event (merchant_id uuid, id uuid, mode mode, payment_id uuid, position int, type text, body text,
    at timestamptz)
  WHERE of_payments IS NULL OR array_position(of_payments, payment_id) IS NOT NULL;
  RETURN QUERY
    INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, payment_id, position, type, state, attempts, next_attempt_at,
      due_at, created_at, updated_at)
    SELECT event.merchant_id, (left(event.delivery_id::text, 24) || right(webhook_endpoint.id::text, 12))::uuid, webhook_endpoint.id,
      event.id, event.payment_id, event.position, event.type, 'PENDING', 0, event.at, event.at, event.at, event.at
    FROM json_to_recordset(events) AS event (merchant_id uuid, id uuid, mode mode, payment_id uuid, position int, type text, at timestamptz,
      delivery_id uuid)
    JOIN webhook_endpoint ON webhook_endpoint.merchant_id = event.merchant_id AND webhook_endpoint.mode = event.mode
      AND webhook_endpoint.enabled AND (webhook_endpoint.types = '{}' OR event.type = ANY (webhook_endpoint.types))
    WHERE (of_payments IS NULL OR array_position(of_payments, event.payment_id) IS NOT NULL)
      AND (merchant IS NULL OR webhook_endpoint.merchant_id = merchant)
    RETURNING payment_id, endpoint_id;
END $$;

CREATE OR REPLACE FUNCTION "settle_delivery_attempt"(merchant UUID, result JSON, at TIMESTAMPTZ, forgotten_before TIMESTAMPTZ) RETURNS TIMESTAMPTZ
LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
  since TIMESTAMPTZ;
BEGIN
  SELECT * INTO input FROM json_to_record(result) AS input (delivery_id uuid, number int, endpoint_id uuid, url text,
    started_at timestamptz, duration_ms int, delivered boolean, status int, failure text, answer text, retry_at timestamptz,
    state delivery_state);
  IF input.delivered THEN
    UPDATE webhook_endpoint SET failing_since = NULL, last_delivered_at = at
    WHERE merchant_id = merchant AND id = input.endpoint_id
      AND (failing_since IS NOT NULL OR last_delivered_at IS NULL OR last_delivered_at < at - interval '10 seconds');
  ELSE
    UPDATE webhook_endpoint SET last_failed_at = at,
      failing_since = CASE WHEN failing_since IS NULL OR last_failed_at < forgotten_before THEN at ELSE failing_since END
    WHERE merchant_id = merchant AND id = input.endpoint_id RETURNING failing_since INTO since;
  END IF;
  UPDATE webhook_delivery SET next_attempt_at = input.retry_at, last_status = input.status, last_failure = input.failure, updated_at = at,
    state = input.state, delivered_at = CASE WHEN input.delivered THEN at ELSE delivered_at END,
    due_at = CASE WHEN input.state = 'PENDING' THEN input.retry_at END,
    settled_attempts = CASE WHEN input.state <> 'PENDING' AND input.number <> 1 THEN input.number END
  WHERE merchant_id = merchant AND id = input.delivery_id AND attempts = input.number
    AND (webhook_delivery.state = 'PENDING' OR input.delivered);
  INSERT INTO webhook_delivery_attempt (merchant_id, delivery_id, number, endpoint_id, url, started_at, duration_ms, delivered, status,
    failure, answer)
  VALUES (merchant, input.delivery_id, input.number, input.endpoint_id, input.url, input.started_at, input.duration_ms, input.delivered,
    input.status, input.failure, input.answer)
  ON CONFLICT DO NOTHING;
  RETURN since;
END $$;

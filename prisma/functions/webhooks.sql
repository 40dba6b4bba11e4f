-- Writes events of merchants, those about `of_payments` unless that is null, and a delivery of each to the endpoints that subscribe to
-- it; returns those endpoints. A delivery's id is a UUIDv7 that follows the order of the events: the first half of the event's delivery_id,
-- which holds the time and the counter, and the random end of the endpoint's id, in which the deliveries of one event differ.
CREATE OR REPLACE FUNCTION announce_events(merchant UUID, events JSON, of_payments UUID[] DEFAULT NULL)
RETURNS TABLE (about UUID, endpoint UUID) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO merchant_event (merchant_id, id, mode, payment_id, position, type, packed_body, created_at)
  SELECT merchant_id, id, mode, payment_id, position, type, decode(packed_body, 'base64'), at
  FROM json_to_recordset(events) AS event (merchant_id uuid, id uuid, mode mode, payment_id uuid, position int, type text,
    packed_body text, at timestamptz)
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

-- Records the results of attempts to deliver, in their order. Gives for each since when every attempt at its endpoint has failed, null where this
-- one succeeded, and true where another event of its payment waited for it. `merchant` is null where the results are those of several.
CREATE OR REPLACE FUNCTION settle_delivery_attempts(merchant UUID, results JSON)
RETURNS TABLE (place INT, failing_since TIMESTAMPTZ, is_next_due BOOLEAN) LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
BEGIN
  FOR input IN SELECT entry.ordinality::int AS place, entry.value AS result, about.*
    FROM json_array_elements(results) WITH ORDINALITY AS entry,
      json_to_record(entry.value) AS about (merchant_id uuid, endpoint_id uuid, payment_id uuid, ended_at timestamptz,
        forgotten_before timestamptz, state delivery_state)
    ORDER BY entry.ordinality
  LOOP
    place := input.place;
    failing_since := settle_delivery_attempt(input.merchant_id, input.result, input.ended_at, input.forgotten_before);
    is_next_due := input.state <> 'PENDING' AND input.payment_id IS NOT NULL AND EXISTS (SELECT FROM webhook_delivery AS next
      WHERE next.merchant_id = input.merchant_id AND (next.endpoint_id = input.endpoint_id) IS TRUE AND next.payment_id = input.payment_id
        AND next.state = 'PENDING');
    RETURN NEXT;
  END LOOP;
END $$;

-- Since when every attempt at the endpoint has failed; null when this one succeeded. The delivery changes only while the caller holds it,
-- identified by its attempt number. One that was given up meanwhile, because its endpoint was disabled, still becomes delivered when it has
-- arrived. The endpoint is locked before the delivery, as by what disables it.
CREATE OR REPLACE FUNCTION settle_delivery_attempt(merchant UUID, result JSON, at TIMESTAMPTZ, forgotten_before TIMESTAMPTZ) RETURNS TIMESTAMPTZ
LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
  since TIMESTAMPTZ;
  at_once BOOLEAN;
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
  at_once := input.delivered AND input.number = 1;
  IF input.number > 1 THEN
    INSERT INTO webhook_delivery_attempt (merchant_id, delivery_id, number, endpoint_id, url, started_at, duration_ms, delivered, status, answer)
    SELECT merchant, id, 1, endpoint_id, url, delivered_at - duration_ms * interval '1 millisecond', duration_ms, true, last_status, answer
    FROM webhook_delivery WHERE merchant_id = merchant AND id = input.delivery_id AND url IS NOT NULL
    ON CONFLICT DO NOTHING;
  END IF;
  UPDATE webhook_delivery SET next_attempt_at = input.retry_at, last_status = input.status, last_failure = input.failure, updated_at = at,
    state = input.state, delivered_at = CASE WHEN input.delivered THEN at ELSE delivered_at END,
    url = CASE WHEN at_once THEN input.url END, duration_ms = CASE WHEN at_once THEN input.duration_ms END,
    answer = CASE WHEN at_once THEN input.answer END,
    due_at = CASE WHEN input.state = 'PENDING' THEN input.retry_at END,
    settled_attempts = CASE WHEN input.state <> 'PENDING' AND input.number <> 1 THEN input.number END
  WHERE merchant_id = merchant AND id = input.delivery_id AND attempts = input.number
    AND (webhook_delivery.state = 'PENDING' OR input.delivered);
  IF FOUND AND at_once THEN RETURN NULL; END IF;
  INSERT INTO webhook_delivery_attempt (merchant_id, delivery_id, number, endpoint_id, url, started_at, duration_ms, delivered, status,
    failure, answer)
  VALUES (merchant, input.delivery_id, input.number, input.endpoint_id, input.url, input.started_at, input.duration_ms, input.delivered,
    input.status, input.failure, input.answer)
  ON CONFLICT DO NOTHING;
  RETURN since;
END $$;

-- A session keeps the plan of a trigger's statements. Made while the table is small, it would read all of it for each delivery of a backlog
-- that came since: hence the setting.
CREATE OR REPLACE FUNCTION keep_due_delivery() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
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

CREATE OR REPLACE TRIGGER webhook_delivery_becomes_due AFTER INSERT ON "webhook_delivery" FOR EACH ROW
  WHEN (NEW."due_at" IS NOT NULL) EXECUTE FUNCTION "keep_due_delivery"();

CREATE OR REPLACE TRIGGER webhook_delivery_due_changed AFTER UPDATE ON "webhook_delivery" FOR EACH ROW
  WHEN (OLD."due_at" IS DISTINCT FROM NEW."due_at") EXECUTE FUNCTION "keep_due_delivery"();

CREATE OR REPLACE TRIGGER webhook_delivery_deleted AFTER DELETE ON "webhook_delivery" FOR EACH ROW
  WHEN (OLD."due_at" IS NOT NULL) EXECUTE FUNCTION "keep_due_delivery"();

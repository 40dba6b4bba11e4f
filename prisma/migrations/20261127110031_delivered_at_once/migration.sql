-- An attempt that delivers an event at once is in the delivery: only further ones are rows, and the first is then one too. Where processes of before
-- may read it, it is a row always.
SET lock_timeout = '2s';

ALTER TABLE "webhook_delivery" ADD COLUMN "url" TEXT, ADD COLUMN "duration_ms" INTEGER, ADD COLUMN "answer" TEXT;

CREATE OR REPLACE FUNCTION "settle_delivery_attempt"(merchant UUID, result JSON, at TIMESTAMPTZ, forgotten_before TIMESTAMPTZ) RETURNS TIMESTAMPTZ
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
  at_once := input.delivered AND input.number = 1 AND packs_texts();
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

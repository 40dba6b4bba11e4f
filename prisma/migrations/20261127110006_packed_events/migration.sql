-- The records of events, packed: a fifth of their JSON. What is not packed counts.
SET lock_timeout = '2s';

ALTER TABLE "merchant_event" ADD COLUMN "packed_body" BYTEA;
-- Compressed already.
ALTER TABLE "merchant_event" ALTER COLUMN "packed_body" SET STORAGE EXTERNAL;

CREATE OR REPLACE FUNCTION "announce_events"(merchant UUID, events JSON, of_payments UUID[] DEFAULT NULL)
RETURNS TABLE (about UUID, endpoint UUID) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO merchant_event (merchant_id, id, mode, payment_id, position, type, body, packed_body, created_at)
  SELECT merchant_id, id, mode, payment_id, position, type, coalesce(body, ''), decode(packed_body, 'base64'), at
  FROM json_to_recordset(events) AS event (merchant_id uuid, id uuid, mode mode, payment_id uuid, position int, type text, body text,
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

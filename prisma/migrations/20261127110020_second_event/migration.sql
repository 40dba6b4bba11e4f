-- The second event of a payment says what the attempt does whose checkout was opened, and when. It is stored where it says more, and where
-- processes of before read the timeline: no id is given for one that is not to be stored.
SET lock_timeout = '2s';

ALTER TABLE "attempt" ADD COLUMN "opened_at" TIMESTAMPTZ(3);

CREATE OR REPLACE FUNCTION "settle_opened_initiations"(merchant UUID, payments JSON, attempts JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  settled UUID[] := '{}';
  scheduled INTEGER;
BEGIN
  FOR one IN
    UPDATE payment SET status = 'PENDING', recommended_gateway = input.gateway, session = input.session,
      fallback_gateways = input.fallback_gateways, packed_session = decode(input.packed_session, 'base64'),
      routing = CASE WHEN input.packed_decision IS NULL THEN coalesce(input.routing, payment.routing) END,
      routing_inputs = CASE WHEN input.packed_decision IS NULL THEN payment.routing_inputs END,
      packed_decision = coalesce(decode(input.packed_decision, 'base64'), payment.packed_decision),
      gateway_reference = input.gateway_reference,
      current_attempt_id = input.attempt_id, account_id = input.account_id, account_gateway = input.gateway,
      status_event_id = input.event_id, status_changed_at = input.at, updated_at = input.at, version = version + 1
    FROM json_to_recordset(payments) AS input (merchant_id uuid, payment_id uuid, account_id uuid, gateway text,
      session json, fallback_gateways json, packed_session text, routing json, packed_decision text, gateway_reference text, event_id uuid, at timestamptz, attempt_id uuid)
    WHERE payment.merchant_id = input.merchant_id AND payment.id = input.payment_id AND payment.status = 'INITIATED'
      AND (merchant IS NULL OR payment.merchant_id = merchant)
    RETURNING payment.id
  LOOP
    settled := settled || one;
    RETURN NEXT one;
  END LOOP;
  UPDATE payment_check SET next_check_at = input.next_check_at, initiating = false
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, next_check_at timestamptz)
  WHERE payment_check.merchant_id = input.merchant_id AND payment_check.payment_id = input.payment_id
    AND array_position(settled, input.payment_id) IS NOT NULL AND (merchant IS NULL OR payment_check.merchant_id = merchant);
  GET DIAGNOSTICS scheduled = ROW_COUNT;
  IF scheduled < cardinality(settled) THEN
    INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
    SELECT merchant_id, payment_id, next_check_at, false
    FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, next_check_at timestamptz)
    WHERE array_position(settled, payment_id) IS NOT NULL
    ON CONFLICT (merchant_id, payment_id) DO UPDATE SET next_check_at = excluded.next_check_at, initiating = false;
  END IF;
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
  SELECT merchant_id, event_id, payment_id, 'payment.pending', 'INITIATED', 'PENDING', cause, detail, at
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, event_id uuid, cause text, detail json, at timestamptz)
  WHERE event_id IS NOT NULL AND array_position(settled, payment_id) IS NOT NULL;
  UPDATE attempt SET state = 'OPENED', latency_ms = input.latency_ms, call = input.call, packed_call = decode(input.packed_call, 'base64'),
    opened_at = CASE WHEN input.event_id IS NULL THEN input.at END, updated_at = input.at
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, latency_ms int, call json,
    packed_call text, event_id uuid, at timestamptz)
  WHERE attempt.merchant_id = input.merchant_id AND attempt.id = input.attempt_id AND array_position(settled, input.payment_id) IS NOT NULL
    AND (merchant IS NULL OR attempt.merchant_id = merchant);
END $$;

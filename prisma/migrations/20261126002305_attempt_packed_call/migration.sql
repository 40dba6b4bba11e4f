-- The recorded call of an attempt, packed: a sixth of its JSON. Rows of earlier versions keep theirs, and processes of those go on writing it.
SET lock_timeout = '2s';

ALTER TABLE "attempt" ADD COLUMN "packed_call" BYTEA;
-- Compressed already.
ALTER TABLE "attempt" ALTER COLUMN "packed_call" SET STORAGE EXTERNAL;
-- Room for a second version of a row beside the first, so that an update writes no index: two thirds of them, and the table grows by a tenth.
ALTER TABLE "payment" SET (fillfactor = 75);

CREATE OR REPLACE FUNCTION "record_fallback"(merchant UUID, fallback JSON) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
  payment UUID;
BEGIN
  SELECT * INTO input FROM json_to_record(fallback) AS input (attempt_id uuid, state attempt_state, failure_class text, failure_code text,
    failure_message text, latency_ms int, call json, packed_call text, at timestamptz, next_id uuid, position int, account_id uuid, gateway text,
    reference text);
  UPDATE attempt SET state = input.state, failure_class = input.failure_class, failure_code = input.failure_code,
    failure_message = input.failure_message, latency_ms = input.latency_ms, call = input.call, packed_call = decode(input.packed_call, 'base64'), updated_at = input.at
  WHERE merchant_id = merchant AND id = input.attempt_id AND attempt.state = 'STARTED' RETURNING payment_id INTO payment;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  VALUES (merchant, input.next_id, payment, input.position, input.account_id, input.gateway, input.reference, 'STARTED', input.at,
    input.at);
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION "settle_opened_initiations"(merchant UUID, payments JSON, attempts JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  settled UUID[] := '{}';
BEGIN
  FOR one IN
    UPDATE payment SET status = 'PENDING', recommended_gateway = input.gateway, session = input.session,
      fallback_gateways = input.fallback_gateways, routing = input.routing, gateway_reference = input.gateway_reference,
      current_attempt_id = input.attempt_id, account_id = input.account_id, account_gateway = input.gateway,
      status_event_id = input.event_id, status_changed_at = input.at, updated_at = input.at, version = version + 1
    FROM json_to_recordset(payments) AS input (merchant_id uuid, payment_id uuid, account_id uuid, gateway text,
      session json, fallback_gateways json, routing json, gateway_reference text, event_id uuid, at timestamptz, attempt_id uuid)
    WHERE payment.merchant_id = input.merchant_id AND payment.id = input.payment_id AND payment.status = 'INITIATED'
      AND (merchant IS NULL OR payment.merchant_id = merchant)
    RETURNING payment.id
  LOOP
    settled := settled || one;
    RETURN NEXT one;
  END LOOP;
  INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
  SELECT merchant_id, payment_id, next_check_at, false
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, next_check_at timestamptz)
  WHERE array_position(settled, payment_id) IS NOT NULL
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET next_check_at = excluded.next_check_at, initiating = false;
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
  SELECT merchant_id, event_id, payment_id, 'payment.pending', 'INITIATED', 'PENDING', cause, detail, at
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, event_id uuid, cause text, detail json, at timestamptz)
  WHERE array_position(settled, payment_id) IS NOT NULL;
  UPDATE attempt SET state = 'OPENED', latency_ms = input.latency_ms, call = input.call, packed_call = decode(input.packed_call, 'base64'),
    updated_at = input.at
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, latency_ms int, call json,
    packed_call text, at timestamptz)
  WHERE attempt.merchant_id = input.merchant_id AND attempt.id = input.attempt_id AND array_position(settled, input.payment_id) IS NOT NULL
    AND (merchant IS NULL OR attempt.merchant_id = merchant);
END $$;

CREATE OR REPLACE FUNCTION "settle_failed_initiation"(merchant UUID, initiation JSON, events JSON) RETURNS TABLE (about UUID, endpoint UUID)
LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
BEGIN
  SELECT * INTO input FROM json_to_record(initiation) AS input (payment_id uuid, failure_reason text, routing json, at timestamptz,
    event_id uuid, cause text, detail json, next_check_at timestamptz, attempt_id uuid, state attempt_state, failure_class text,
    failure_code text, failure_message text, latency_ms int, call json, packed_call text);
  UPDATE payment SET status = 'FAILED', failure_reason = input.failure_reason, fallback_gateways = '[]', routing = input.routing,
    status_event_id = input.event_id, status_changed_at = input.at, updated_at = input.at, version = version + 1
  WHERE merchant_id = merchant AND id = input.payment_id AND status = 'INITIATED';
  IF NOT FOUND THEN RETURN; END IF;
  IF input.next_check_at IS NULL THEN
    DELETE FROM payment_check WHERE merchant_id = merchant AND payment_id = input.payment_id;
  ELSE
    INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
    VALUES (merchant, input.payment_id, input.next_check_at, false)
    ON CONFLICT (merchant_id, payment_id) DO UPDATE SET next_check_at = excluded.next_check_at, initiating = false;
  END IF;
  IF input.attempt_id IS NOT NULL THEN
    UPDATE attempt SET state = input.state, failure_class = input.failure_class, failure_code = input.failure_code,
      failure_message = input.failure_message, latency_ms = input.latency_ms, call = input.call,
      packed_call = decode(input.packed_call, 'base64'), updated_at = input.at
    WHERE merchant_id = merchant AND id = input.attempt_id;
  END IF;
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
  VALUES (merchant, input.event_id, input.payment_id, 'payment.failed', 'INITIATED', 'FAILED', input.cause, input.detail, input.at);
  about := input.payment_id;
  RETURN NEXT;
  RETURN QUERY SELECT * FROM announce_events(merchant, events);
END $$;

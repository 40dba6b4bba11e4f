-- The decision of a payment with its inputs, and its session, packed: a sixth of their JSON. Rows of before keep theirs, and what is not packed
-- counts. Null there stands for packed, so the columns may be that.
SET lock_timeout = '2s';

ALTER TABLE "payment" ADD COLUMN "packed_decision" BYTEA, ADD COLUMN "packed_session" BYTEA,
  ALTER COLUMN "routing" DROP NOT NULL, ALTER COLUMN "routing_inputs" DROP NOT NULL, ALTER COLUMN "fallback_gateways" DROP NOT NULL;
-- Compressed already.
ALTER TABLE "payment" ALTER COLUMN "packed_decision" SET STORAGE EXTERNAL, ALTER COLUMN "packed_session" SET STORAGE EXTERNAL;

CREATE OR REPLACE FUNCTION "reserve_payments"(merchant UUID, payments JSON, firsts JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  reserved UUID[] := '{}';
BEGIN
  FOR one IN
    INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, customer_id,
      customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
      smart_routing_bypassed, rule_set_version, rule_id, routing, routing_inputs, packed_decision, recommended_gateway,
      fallback_gateways, expires_at, version, status_event_id, status_changed_at, created_at, updated_at)
    SELECT merchant_id, id, mode, merchant_order_id, 'INITIATED', amount, currency, customer_email, customer_id,
      customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
      smart_routing_bypassed, rule_set_version, rule_id, routing, routing_inputs, decode(packed_decision, 'base64'), recommended_gateway,
      fallback_gateways, expires_at, 1, event_id, created_at, created_at, created_at
    FROM json_to_recordset(payments) AS input (merchant_id uuid, id uuid, mode mode, merchant_order_id text, amount int8,
      currency char(3), customer_email text, customer_id text, customer_phone text, customer_country char(2), payment_method text,
      metadata json, redirect_url text, requested_gateway text, routing_mode text, smart_routing_bypassed boolean,
      rule_set_version int, rule_id text, routing json, routing_inputs json, packed_decision text, recommended_gateway text,
      fallback_gateways json, expires_at timestamptz, event_id uuid, created_at timestamptz)
    ON CONFLICT DO NOTHING RETURNING id
  LOOP
    reserved := reserved || one;
    RETURN NEXT one;
  END LOOP;
  INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
  SELECT merchant_id, payment_id, now() + abandoned_after_ms * interval '1 millisecond', true
  FROM json_to_recordset(firsts) AS input (merchant_id uuid, payment_id uuid, abandoned_after_ms float8)
  WHERE array_position(reserved, payment_id) IS NOT NULL;
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, to_status, cause, detail, created_at)
  SELECT merchant_id, event_id, payment_id, 'payment.initiated', 'INITIATED', 'api', detail, created_at
  FROM json_to_recordset(firsts) AS input (merchant_id uuid, payment_id uuid, event_id uuid, detail json, created_at timestamptz)
  WHERE array_position(reserved, payment_id) IS NOT NULL;
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  SELECT merchant_id, attempt_id, payment_id, position, account_id, gateway, reference, 'STARTED', created_at, created_at
  FROM json_to_recordset(firsts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, position int, account_id uuid,
    gateway text, reference text, created_at timestamptz)
  WHERE array_position(reserved, payment_id) IS NOT NULL AND attempt_id IS NOT NULL;
END $$;

-- A decision that is left out did not change.
CREATE OR REPLACE FUNCTION "settle_opened_initiations"(merchant UUID, payments JSON, attempts JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  settled UUID[] := '{}';
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
  SELECT * INTO input FROM json_to_record(initiation) AS input (payment_id uuid, failure_reason text, routing json, packed_decision text, at timestamptz,
    event_id uuid, cause text, detail json, next_check_at timestamptz, attempt_id uuid, state attempt_state, failure_class text,
    failure_code text, failure_message text, latency_ms int, call json, packed_call text);
  UPDATE payment SET status = 'FAILED', failure_reason = input.failure_reason, fallback_gateways = '[]',
    routing = CASE WHEN input.packed_decision IS NULL THEN coalesce(input.routing, payment.routing) END,
    routing_inputs = CASE WHEN input.packed_decision IS NULL THEN payment.routing_inputs END,
    packed_decision = coalesce(decode(input.packed_decision, 'base64'), payment.packed_decision),
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

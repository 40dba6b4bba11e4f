-- Less for the log to say of a payment.
SET lock_timeout = '2s';

-- In a new database alone. Of an updated row the log has what lies between the first and the last byte that changed: the decision, which rarely
-- changes, stands behind the session, which is written once a checkout is open.
DO $$
BEGIN
  IF EXISTS (SELECT FROM "payment") THEN RETURN; END IF;
  ALTER TABLE "payment" DROP COLUMN "packed_decision";
  ALTER TABLE "payment" ADD COLUMN "packed_decision" BYTEA;
  ALTER TABLE "payment" ALTER COLUMN "packed_decision" SET STORAGE EXTERNAL;
END $$;

-- The check of a payment that opens is there: an update of it locks the row once, and an upsert twice.
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
  WHERE array_position(settled, payment_id) IS NOT NULL;
  UPDATE attempt SET state = 'OPENED', latency_ms = input.latency_ms, call = input.call, packed_call = decode(input.packed_call, 'base64'),
    updated_at = input.at
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, latency_ms int, call json,
    packed_call text, at timestamptz)
  WHERE attempt.merchant_id = input.merchant_id AND attempt.id = input.attempt_id AND array_position(settled, input.payment_id) IS NOT NULL
    AND (merchant IS NULL OR attempt.merchant_id = merchant);
END $$;

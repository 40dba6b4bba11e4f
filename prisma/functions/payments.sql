-- The ids of those that were reserved: any conflict counts. The first event of a payment says what the payment's own row does. It is stored where
-- it names the trace that began it: no id is given for one that is not to be stored.
CREATE OR REPLACE FUNCTION reserve_payments(merchant UUID, payments JSON, firsts JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  reserved UUID[] := '{}';
BEGIN
  FOR one IN
    INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, customer_id,
      customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
      smart_routing_bypassed, rule_set_version, rule_id, packed_decision, recommended_gateway, packed_session, expires_at, version,
      status_event_id, status_changed_at, created_at, updated_at)
    SELECT merchant_id, id, mode, merchant_order_id, 'INITIATED', amount, currency, customer_email, customer_id,
      customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
      smart_routing_bypassed, rule_set_version, rule_id, decode(packed_decision, 'base64'), recommended_gateway,
      decode(packed_session, 'base64'), expires_at, 1, event_id, created_at, created_at, created_at
    FROM json_to_recordset(payments) AS input (merchant_id uuid, id uuid, mode mode, merchant_order_id text, amount int8,
      currency char(3), customer_email text, customer_id text, customer_phone text, customer_country char(2), payment_method text,
      metadata json, redirect_url text, requested_gateway text, routing_mode text, smart_routing_bypassed boolean,
      rule_set_version int, rule_id text, packed_decision text, recommended_gateway text, packed_session text, expires_at timestamptz, event_id uuid, created_at timestamptz)
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
  WHERE event_id IS NOT NULL AND array_position(reserved, payment_id) IS NOT NULL;
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  SELECT merchant_id, attempt_id, payment_id, position, account_id, gateway, reference, 'STARTED', created_at, created_at
  FROM json_to_recordset(firsts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, position int, account_id uuid,
    gateway text, reference text, created_at timestamptz)
  WHERE array_position(reserved, payment_id) IS NOT NULL AND attempt_id IS NOT NULL;
END $$;

-- False when another process has closed the attempt.
CREATE OR REPLACE FUNCTION record_fallback(merchant UUID, fallback JSON) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
  payment UUID;
BEGIN
  SELECT * INTO input FROM json_to_record(fallback) AS input (attempt_id uuid, state attempt_state, failure_class text, failure_code text,
    failure_message text, latency_ms int, packed_call text, at timestamptz, next_id uuid, position int, account_id uuid, gateway text,
    reference text);
  UPDATE attempt SET state = input.state, failure_class = input.failure_class, failure_code = input.failure_code,
    failure_message = input.failure_message, latency_ms = input.latency_ms, packed_call = decode(input.packed_call, 'base64'),
    updated_at = input.at
  WHERE merchant_id = merchant AND id = input.attempt_id AND attempt.state = 'STARTED' RETURNING payment_id INTO payment;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  VALUES (merchant, input.next_id, payment, input.position, input.account_id, input.gateway, input.reference, 'STARTED', input.at,
    input.at);
  RETURN true;
END $$;

-- The check of a payment that opens is there: an update of it locks the row once, and an upsert twice.
CREATE OR REPLACE FUNCTION settle_opened_initiations(merchant UUID, payments JSON, attempts JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  settled UUID[] := '{}';
  scheduled INTEGER;
BEGIN
  FOR one IN
    UPDATE payment SET status = 'PENDING', recommended_gateway = input.gateway,
      packed_session = decode(input.packed_session, 'base64'),
      packed_decision = coalesce(decode(input.packed_decision, 'base64'), payment.packed_decision),
      gateway_reference = input.gateway_reference,
      current_attempt_id = input.attempt_id, account_id = input.account_id, account_gateway = input.gateway,
      status_event_id = input.event_id, status_changed_at = input.at, updated_at = input.at, version = version + 1
    FROM json_to_recordset(payments) AS input (merchant_id uuid, payment_id uuid, account_id uuid, gateway text,
      packed_session text, packed_decision text, gateway_reference text, event_id uuid, at timestamptz, attempt_id uuid)
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
  UPDATE attempt SET state = 'OPENED', latency_ms = input.latency_ms, packed_call = decode(input.packed_call, 'base64'),
    opened_at = CASE WHEN input.event_id IS NULL THEN input.at END, updated_at = input.at
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, latency_ms int,
    packed_call text, event_id uuid, at timestamptz)
  WHERE attempt.merchant_id = input.merchant_id AND attempt.id = input.attempt_id AND array_position(settled, input.payment_id) IS NOT NULL
    AND (merchant IS NULL OR attempt.merchant_id = merchant);
END $$;

-- No row when another process has settled the initiation; else one, and one for each endpoint that its event goes to.
CREATE OR REPLACE FUNCTION settle_failed_initiation(merchant UUID, initiation JSON, events JSON) RETURNS TABLE (about UUID, endpoint UUID)
LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
BEGIN
  SELECT * INTO input FROM json_to_record(initiation) AS input (payment_id uuid, failure_reason text, packed_decision text,
    packed_session text, at timestamptz, event_id uuid, cause text, detail json, next_check_at timestamptz, attempt_id uuid, state attempt_state, failure_class text,
    failure_code text, failure_message text, latency_ms int, packed_call text);
  UPDATE payment SET status = 'FAILED', failure_reason = input.failure_reason, packed_session = decode(input.packed_session, 'base64'),
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
      failure_message = input.failure_message, latency_ms = input.latency_ms,
      packed_call = decode(input.packed_call, 'base64'), updated_at = input.at
    WHERE merchant_id = merchant AND id = input.attempt_id;
  END IF;
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
  VALUES (merchant, input.event_id, input.payment_id, 'payment.failed', 'INITIATED', 'FAILED', input.cause, input.detail, input.at);
  about := input.payment_id;
  RETURN NEXT;
  RETURN QUERY SELECT * FROM announce_events(merchant, events);
END $$;

-- A row for each payment that was changed, and one for each endpoint that its events go to. The rows of one payment are written together or
-- not at all. Null for kinds of rows of which there are none.
CREATE OR REPLACE FUNCTION change_payments(merchant UUID, changes JSON, ended JSON, scheduled JSON, attempts JSON, payers JSON, timeline JSON,
  events JSON)
RETURNS TABLE (about UUID, endpoint UUID) LANGUAGE plpgsql AS $$
DECLARE
  changed UUID[] := '{}';
BEGIN
  FOR about IN
    UPDATE payment SET version = payment.version + 1, updated_at = input.at,
      status = coalesce(input.status, payment.status),
      failure_reason = CASE WHEN input.status IS NULL THEN payment.failure_reason ELSE input.failure_reason END,
      status_event_id = coalesce(input.status_event_id, payment.status_event_id),
      status_changed_at = CASE WHEN input.status_event_id IS NULL THEN payment.status_changed_at ELSE input.at END,
      late = coalesce(input.late, payment.late),
      gateway_reference = coalesce(input.gateway_reference, payment.gateway_reference),
      paid_attempt_id = coalesce(input.paid_attempt_id, payment.paid_attempt_id),
      refunded_amount = coalesce(input.refunded_amount, payment.refunded_amount),
      reversed_amount = CASE WHEN input.reversal THEN input.reversed_amount ELSE payment.reversed_amount END,
      reversed_at = CASE WHEN input.reversal THEN input.reversed_at ELSE payment.reversed_at END,
      reversal_cause = CASE WHEN input.reversal THEN input.reversal_cause ELSE payment.reversal_cause END,
      review = coalesce(input.review, payment.review),
      review_reason = coalesce(input.review_reason, payment.review_reason),
      received_amount = CASE WHEN input.received THEN input.received_amount ELSE payment.received_amount END,
      received_currency = CASE WHEN input.received THEN input.received_currency ELSE payment.received_currency END,
      fee_amount = CASE WHEN input.received THEN input.fee_amount ELSE payment.fee_amount END,
      paid_method = CASE WHEN input.received THEN input.paid_method ELSE payment.paid_method END,
      paid_at = CASE WHEN input.received THEN input.paid_at ELSE payment.paid_at END
    FROM json_to_recordset(changes) AS input (merchant_id uuid, payment_id uuid, version int, at timestamptz, status payment_status,
      failure_reason text, late boolean, gateway_reference text, paid_attempt_id uuid, refunded_amount int8, reversal boolean,
      reversed_amount numeric, reversed_at timestamptz, reversal_cause text, review review_state, review_reason text,
      status_event_id uuid, received boolean, received_amount numeric, received_currency char(3), fee_amount numeric, paid_method text,
      paid_at timestamptz)
    WHERE payment.merchant_id = input.merchant_id AND payment.id = input.payment_id AND payment.version = input.version
      AND (merchant IS NULL OR payment.merchant_id = merchant)
    RETURNING payment.id
  LOOP
    changed := changed || about;
    RETURN NEXT;
  END LOOP;
  IF changed = '{}' THEN RETURN; END IF;
  IF ended IS NOT NULL THEN
    DELETE FROM payment_check USING json_to_recordset(ended) AS input (merchant_id uuid, payment_id uuid)
    WHERE payment_check.merchant_id = input.merchant_id AND payment_check.payment_id = input.payment_id
      AND array_position(changed, input.payment_id) IS NOT NULL AND (merchant IS NULL OR payment_check.merchant_id = merchant);
  END IF;
  IF scheduled IS NOT NULL THEN
    INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
    SELECT merchant_id, payment_id, next_check_at, false
    FROM json_to_recordset(scheduled) AS input (merchant_id uuid, payment_id uuid, next_check_at timestamptz)
    WHERE array_position(changed, payment_id) IS NOT NULL
    ON CONFLICT (merchant_id, payment_id) DO UPDATE SET next_check_at = excluded.next_check_at, initiating = false;
  END IF;
  IF attempts IS NOT NULL THEN
    UPDATE attempt SET last_asked_at = input.asked_at, updated_at = input.at,
      state = coalesce(input.state, attempt.state),
      duplicate = coalesce(input.duplicate, attempt.duplicate),
      received_amount = CASE WHEN input.received THEN input.received_amount ELSE attempt.received_amount END,
      received_currency = CASE WHEN input.received THEN input.received_currency ELSE attempt.received_currency END,
      transaction_id = CASE WHEN input.received THEN input.transaction_id ELSE attempt.transaction_id END
    FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, at timestamptz, asked_at timestamptz,
      state attempt_state, duplicate boolean, received boolean, received_amount numeric, received_currency char(3), transaction_id text)
    WHERE attempt.merchant_id = input.merchant_id AND attempt.id = input.attempt_id
      AND array_position(changed, input.payment_id) IS NOT NULL AND (merchant IS NULL OR attempt.merchant_id = merchant);
  END IF;
  IF payers IS NOT NULL THEN
    INSERT INTO payer (merchant_id, attempt_id, sealed, created_at)
    SELECT merchant_id, attempt_id, sealed, at
    FROM json_to_recordset(payers) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, sealed text, at timestamptz)
    WHERE array_position(changed, payment_id) IS NOT NULL
    ON CONFLICT (merchant_id, attempt_id) DO UPDATE SET sealed = excluded.sealed, created_at = excluded.created_at;
  END IF;
  IF timeline IS NOT NULL THEN
    INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, actor, detail, created_at)
    SELECT merchant_id, id, payment_id, type, from_status, to_status, cause, actor, detail, at
    FROM json_to_recordset(timeline) AS input (merchant_id uuid, id uuid, payment_id uuid, type text, from_status payment_status,
      to_status payment_status, cause text, actor text, detail json, at timestamptz)
    WHERE array_position(changed, payment_id) IS NOT NULL;
  END IF;
  IF events IS NOT NULL THEN RETURN QUERY SELECT * FROM announce_events(merchant, events, changed); END IF;
END $$;

-- The account that was paid, else the one whose checkout the customer was given, stands on the payment itself. Whoever names the attempt
-- has named the account; a statement that names the account itself needs no look at the attempt.
CREATE OR REPLACE FUNCTION set_payment_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT a.account_id, a.gateway INTO NEW.account_id, NEW.account_gateway FROM attempt AS a
    WHERE a.merchant_id = NEW.merchant_id AND a.id = COALESCE(NEW.paid_attempt_id, NEW.current_attempt_id);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payment_set_account BEFORE UPDATE OF "current_attempt_id", "paid_attempt_id" ON "payment" FOR EACH ROW
  WHEN (ROW(OLD.current_attempt_id, OLD.paid_attempt_id) IS DISTINCT FROM ROW(NEW.current_attempt_id, NEW.paid_attempt_id)
    AND NEW.account_id IS NOT DISTINCT FROM OLD.account_id)
  EXECUTE FUNCTION "set_payment_account"();

CREATE OR REPLACE FUNCTION set_unusual_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.unusual_status := CASE WHEN NEW.status IN ('FAILED', 'REFUNDED') THEN NEW.status END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payment_unusual_status BEFORE INSERT OR UPDATE OF "status" ON "payment" FOR EACH ROW
  WHEN (NEW."unusual_status" IS DISTINCT FROM CASE WHEN NEW."status" IN ('FAILED', 'REFUNDED') THEN NEW."status" END)
  EXECUTE FUNCTION "set_unusual_status"();

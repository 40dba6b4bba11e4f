-- What the path of a payment writes to several tables, each as one function. `merchant` names the one merchant whose rows all are, and with
-- that the node of a distributed database that the function runs on; null stands for rows of any merchants, where one server has them all.
-- Each statement names the merchant by itself, so that it concerns that node alone. The result of one is looked for by `array_position`, of
-- which the planner expects the same however many there are: plans are made once for a connection.

-- True where rows of all merchants may be in one statement. `db:distribute` replaces it.
CREATE FUNCTION "rows_share_a_node"() RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS 'SELECT true';

-- The ids of those that were reserved: any conflict counts.
CREATE FUNCTION "reserve_payments"(merchant UUID, payments JSON, firsts JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  reserved UUID[] := '{}';
BEGIN
  FOR one IN
    INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, customer_id,
      customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
      smart_routing_bypassed, rule_set_version, rule_id, routing, routing_inputs, recommended_gateway, fallback_gateways,
      expires_at, version, status_event_id, status_changed_at, created_at, updated_at)
    SELECT merchant_id, id, mode, merchant_order_id, 'INITIATED', amount, currency, customer_email, customer_id,
      customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
      smart_routing_bypassed, rule_set_version, rule_id, routing, routing_inputs, recommended_gateway, fallback_gateways,
      expires_at, 1, event_id, created_at, created_at, created_at
    FROM json_to_recordset(payments) AS input (merchant_id uuid, id uuid, mode mode, merchant_order_id text, amount int8,
      currency char(3), customer_email text, customer_id text, customer_phone text, customer_country char(2), payment_method text,
      metadata json, redirect_url text, requested_gateway text, routing_mode text, smart_routing_bypassed boolean,
      rule_set_version int, rule_id text, routing json, routing_inputs json, recommended_gateway text, fallback_gateways json,
      expires_at timestamptz, event_id uuid, created_at timestamptz)
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

-- False when another process has closed the attempt.
CREATE FUNCTION "record_fallback"(merchant UUID, fallback JSON) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
  payment UUID;
BEGIN
  SELECT * INTO input FROM json_to_record(fallback) AS input (attempt_id uuid, state attempt_state, failure_class text, failure_code text,
    failure_message text, latency_ms int, call json, at timestamptz, next_id uuid, position int, account_id uuid, gateway text,
    reference text);
  UPDATE attempt SET state = input.state, failure_class = input.failure_class, failure_code = input.failure_code,
    failure_message = input.failure_message, latency_ms = input.latency_ms, call = input.call, updated_at = input.at
  WHERE merchant_id = merchant AND id = input.attempt_id AND attempt.state = 'STARTED' RETURNING payment_id INTO payment;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  VALUES (merchant, input.next_id, payment, input.position, input.account_id, input.gateway, input.reference, 'STARTED', input.at,
    input.at);
  RETURN true;
END $$;

-- The ids of those that were settled.
CREATE FUNCTION "settle_opened_initiations"(merchant UUID, payments JSON, attempts JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
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
  UPDATE attempt SET state = 'OPENED', latency_ms = input.latency_ms, call = input.call, updated_at = input.at
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, latency_ms int, call json, at timestamptz)
  WHERE attempt.merchant_id = input.merchant_id AND attempt.id = input.attempt_id AND array_position(settled, input.payment_id) IS NOT NULL
    AND (merchant IS NULL OR attempt.merchant_id = merchant);
END $$;

-- Writes events of merchants, those about `of_payments` unless that is null, and a delivery of each to the endpoints that subscribe to
-- it; returns those endpoints. A delivery's id is a UUIDv7 that follows the order of the events: the first half of the event's delivery_id,
-- which holds the time and the counter, and the random end of the endpoint's id, in which the deliveries of one event differ.
CREATE FUNCTION "announce_events"(merchant UUID, events JSON, of_payments UUID[] DEFAULT NULL)
RETURNS TABLE (about UUID, endpoint UUID) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO merchant_event (merchant_id, id, mode, payment_id, position, type, body, created_at)
  SELECT merchant_id, id, mode, payment_id, position, type, body, at
  FROM json_to_recordset(events) AS event (merchant_id uuid, id uuid, mode mode, payment_id uuid, position int, type text, body text,
    at timestamptz)
  WHERE of_payments IS NULL OR array_position(of_payments, payment_id) IS NOT NULL;
  RETURN QUERY
    INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, payment_id, position, type, state, attempts, next_attempt_at,
      created_at, updated_at)
    SELECT event.merchant_id, (left(event.delivery_id::text, 24) || right(webhook_endpoint.id::text, 12))::uuid, webhook_endpoint.id,
      event.id, event.payment_id, event.position, event.type, 'PENDING', 0, event.at, event.at, event.at
    FROM json_to_recordset(events) AS event (merchant_id uuid, id uuid, mode mode, payment_id uuid, position int, type text, at timestamptz,
      delivery_id uuid)
    JOIN webhook_endpoint ON webhook_endpoint.merchant_id = event.merchant_id AND webhook_endpoint.mode = event.mode
      AND webhook_endpoint.enabled AND (webhook_endpoint.types = '{}' OR event.type = ANY (webhook_endpoint.types))
    WHERE (of_payments IS NULL OR array_position(of_payments, event.payment_id) IS NOT NULL)
      AND (merchant IS NULL OR webhook_endpoint.merchant_id = merchant)
    RETURNING payment_id, endpoint_id;
END $$;

-- No row when another process has settled the initiation; else one, and one for each endpoint that its event goes to.
CREATE FUNCTION "settle_failed_initiation"(merchant UUID, initiation JSON, events JSON) RETURNS TABLE (about UUID, endpoint UUID)
LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
BEGIN
  SELECT * INTO input FROM json_to_record(initiation) AS input (payment_id uuid, failure_reason text, routing json, at timestamptz,
    event_id uuid, cause text, detail json, next_check_at timestamptz, attempt_id uuid, state attempt_state, failure_class text,
    failure_code text, failure_message text, latency_ms int, call json);
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
      failure_message = input.failure_message, latency_ms = input.latency_ms, call = input.call, updated_at = input.at
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
CREATE FUNCTION "change_payments"(merchant UUID, changes JSON, ended JSON, scheduled JSON, attempts JSON, timeline JSON, events JSON)
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
  IF timeline IS NOT NULL THEN
    INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, actor, detail, created_at)
    SELECT merchant_id, id, payment_id, type, from_status, to_status, cause, actor, detail, at
    FROM json_to_recordset(timeline) AS input (merchant_id uuid, id uuid, payment_id uuid, type text, from_status payment_status,
      to_status payment_status, cause text, actor text, detail json, at timestamptz)
    WHERE array_position(changed, payment_id) IS NOT NULL;
  END IF;
  IF events IS NOT NULL THEN RETURN QUERY SELECT * FROM announce_events(merchant, events, changed); END IF;
END $$;

-- The ids of those that were not known.
CREATE FUNCTION "store_gateway_webhooks"(merchant UUID, webhooks JSON, subjects JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  erased UUID[] := ARRAY(
    SELECT input.id FROM json_to_recordset(subjects) AS input (merchant_id uuid, id uuid, account_id uuid, reference text)
    JOIN attempt ON attempt.merchant_id = input.merchant_id AND attempt.account_id = input.account_id
      AND attempt.reference = input.reference
    JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
    WHERE payment.customer_erased_at IS NOT NULL
      AND (merchant IS NULL OR (attempt.merchant_id = merchant AND payment.merchant_id = merchant)));
BEGIN
  RETURN QUERY
    INSERT INTO gateway_webhook AS known (merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id, body, state,
      received_at, follow_up, follow_up_at)
    SELECT merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id,
      CASE WHEN state = 'IGNORED' OR array_position(erased, id) IS NOT NULL THEN '' ELSE body END, state, received_at, follow_up,
      follow_up_at
    FROM json_to_recordset(webhooks) AS input (merchant_id uuid, id uuid, account_id uuid, gateway text, dedupe_key text, event text,
      reference text, transaction_id text, body text, state gateway_webhook_state, received_at timestamptz, follow_up json,
      follow_up_at timestamptz)
    ON CONFLICT (merchant_id, account_id, dedupe_key) DO UPDATE SET deliveries = known.deliveries + 1
    RETURNING id;
END $$;

-- Since when every attempt at the endpoint has failed; null when this one succeeded. The delivery changes only while the caller holds it,
-- identified by its attempt number. One that was given up meanwhile, because its endpoint was disabled, still becomes delivered when it has
-- arrived. The endpoint is locked before the delivery, as by what disables it.
CREATE FUNCTION "settle_delivery_attempt"(merchant UUID, result JSON, at TIMESTAMPTZ, forgotten_before TIMESTAMPTZ) RETURNS TIMESTAMPTZ
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
    state = input.state, delivered_at = CASE WHEN input.delivered THEN at ELSE delivered_at END
  WHERE merchant_id = merchant AND id = input.delivery_id AND attempts = input.number
    AND (webhook_delivery.state = 'PENDING' OR input.delivered);
  INSERT INTO webhook_delivery_attempt (merchant_id, delivery_id, number, endpoint_id, url, started_at, duration_ms, delivered, status,
    failure, answer)
  VALUES (merchant, input.delivery_id, input.number, input.endpoint_id, input.url, input.started_at, input.duration_ms, input.delivered,
    input.status, input.failure, input.answer)
  ON CONFLICT DO NOTHING;
  RETURN since;
END $$;

-- The first event of a payment says what the payment's own row does. It is stored where it names the trace that began it, and where processes of
-- before read the timeline: no id is given for one that is not to be stored.
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
  WHERE event_id IS NOT NULL AND array_position(reserved, payment_id) IS NOT NULL;
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  SELECT merchant_id, attempt_id, payment_id, position, account_id, gateway, reference, 'STARTED', created_at, created_at
  FROM json_to_recordset(firsts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, position int, account_id uuid,
    gateway text, reference text, created_at timestamptz)
  WHERE array_position(reserved, payment_id) IS NOT NULL AND attempt_id IS NOT NULL;
END $$;

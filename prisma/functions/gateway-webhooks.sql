-- The ids of those that were not known.
CREATE OR REPLACE FUNCTION store_gateway_webhooks(merchant UUID, webhooks JSON, subjects JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  stored UUID[] := '{}';
  erased UUID[] := ARRAY(
    SELECT input.id FROM json_to_recordset(subjects) AS input (merchant_id uuid, id uuid, reference text)
    JOIN payment ON payment.merchant_id = input.merchant_id
      AND payment.id = CASE WHEN input.reference ~ '^sy[0-9a-f]{32}[0-9]{2}$' THEN substr(input.reference, 3, 32)::uuid END
    WHERE payment.customer_erased_at IS NOT NULL AND (merchant IS NULL OR payment.merchant_id = merchant));
BEGIN
  FOR one IN
    INSERT INTO gateway_webhook AS known (merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id, packed_body, state, received_at)
    SELECT merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id,
      CASE WHEN array_position(erased, id) IS NULL THEN decode(packed_body, 'base64') END, state, received_at
    FROM json_to_recordset(webhooks) AS input (merchant_id uuid, id uuid, account_id uuid, gateway text, dedupe_key text, event text,
      reference text, transaction_id text, packed_body text, state gateway_webhook_state, received_at timestamptz)
    ON CONFLICT (merchant_id, account_id, dedupe_key) DO UPDATE SET deliveries = known.deliveries + 1
    RETURNING id
  LOOP
    stored := stored || one;
    RETURN NEXT one;
  END LOOP;
  INSERT INTO webhook_follow_up (merchant_id, webhook_id, due_at, about)
  SELECT merchant_id, id, received_at, follow_up
  FROM json_to_recordset(webhooks) AS input (merchant_id uuid, id uuid, received_at timestamptz, follow_up json)
  WHERE follow_up IS NOT NULL AND array_position(stored, id) IS NOT NULL;
END $$;

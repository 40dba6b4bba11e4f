-- What is about a reference is found by the payment that it names, and what is about a transaction by the event that it brought.
SET lock_timeout = '2s';

-- In a new database alone: processes of before find attempts and webhooks by these, and a migration of the next release removes them.
DO $$
BEGIN
  IF EXISTS (SELECT FROM "payment") THEN RETURN; END IF;
  DROP INDEX "attempt_merchant_id_account_id_reference_key";
  DROP INDEX "attempt_by_transaction";
  DROP INDEX "gateway_webhook_by_reference";
END $$;

-- Room for the second version of a row beside the first.
ALTER TABLE "attempt" SET (fillfactor = 85);

CREATE OR REPLACE FUNCTION "store_gateway_webhooks"(merchant UUID, webhooks JSON, subjects JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  erased UUID[] := ARRAY(
    SELECT input.id FROM json_to_recordset(subjects) AS input (merchant_id uuid, id uuid, reference text)
    JOIN payment ON payment.merchant_id = input.merchant_id
      AND payment.id = CASE WHEN input.reference ~ '^sy[0-9a-f]{32}[0-9]{2}$' THEN substr(input.reference, 3, 32)::uuid END
    WHERE payment.customer_erased_at IS NOT NULL AND (merchant IS NULL OR payment.merchant_id = merchant));
BEGIN
  RETURN QUERY
    INSERT INTO gateway_webhook AS known (merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id, body, packed_body,
      state, received_at, follow_up, follow_up_at)
    SELECT merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id,
      CASE WHEN state = 'IGNORED' OR array_position(erased, id) IS NOT NULL THEN '' ELSE coalesce(body, '') END,
      CASE WHEN state <> 'IGNORED' AND array_position(erased, id) IS NULL THEN decode(packed_body, 'base64') END,
      state, received_at, follow_up, follow_up_at
    FROM json_to_recordset(webhooks) AS input (merchant_id uuid, id uuid, account_id uuid, gateway text, dedupe_key text, event text,
      reference text, transaction_id text, body text, packed_body text, state gateway_webhook_state, received_at timestamptz, follow_up json,
      follow_up_at timestamptz)
    ON CONFLICT (merchant_id, account_id, dedupe_key) DO UPDATE SET deliveries = known.deliveries + 1
    RETURNING id;
END $$;

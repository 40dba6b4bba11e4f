-- Texts that payments store, packed: a fifth of them. Rows of before keep theirs.
SET lock_timeout = '2s';

-- True where every process that may read texts can unpack them: in a new database. In one that has payments, processes of before may still run
-- while these migrations are new; a migration of the next release replaces the function there.
DO $$ BEGIN
  EXECUTE format('CREATE FUNCTION "packs_texts"() RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS %L',
    CASE WHEN EXISTS (SELECT FROM payment) THEN 'SELECT false' ELSE 'SELECT true' END);
END $$;

ALTER TABLE "gateway_webhook" ADD COLUMN "packed_body" BYTEA;
-- Compressed already.
ALTER TABLE "gateway_webhook" ALTER COLUMN "packed_body" SET STORAGE EXTERNAL;

CREATE OR REPLACE FUNCTION "store_gateway_webhooks"(merchant UUID, webhooks JSON, subjects JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
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

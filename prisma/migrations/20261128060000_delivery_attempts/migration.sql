-- Records the results of attempts to deliver, in their order. Gives for each since when every attempt at its endpoint has failed, null where this
-- one succeeded, and true where another event of its payment waited for it. `merchant` is null where the results are those of several.
CREATE FUNCTION "settle_delivery_attempts"(merchant UUID, results JSON)
RETURNS TABLE (place INT, failing_since TIMESTAMPTZ, is_next_due BOOLEAN) LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
BEGIN
  FOR input IN SELECT entry.ordinality::int AS place, entry.value AS result, about.*
    FROM json_array_elements(results) WITH ORDINALITY AS entry,
      json_to_record(entry.value) AS about (merchant_id uuid, endpoint_id uuid, payment_id uuid, ended_at timestamptz,
        forgotten_before timestamptz, state delivery_state)
    ORDER BY entry.ordinality
  LOOP
    place := input.place;
    failing_since := settle_delivery_attempt(input.merchant_id, input.result, input.ended_at, input.forgotten_before);
    is_next_due := input.state <> 'PENDING' AND input.payment_id IS NOT NULL AND EXISTS (SELECT FROM webhook_delivery AS next
      WHERE next.merchant_id = input.merchant_id AND (next.endpoint_id = input.endpoint_id) IS TRUE AND next.payment_id = input.payment_id
        AND next.state = 'PENDING');
    RETURN NEXT;
  END LOOP;
END $$;

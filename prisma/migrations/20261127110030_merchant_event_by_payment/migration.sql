-- Events of a payment are found by the ids of its timeline. In a new database alone: processes of before find them by this, and a migration of the
-- next release removes it.
DO $$
BEGIN
  IF EXISTS (SELECT FROM "payment") THEN RETURN; END IF;
  DROP INDEX "merchant_event_merchant_id_payment_id_idx";
END $$;

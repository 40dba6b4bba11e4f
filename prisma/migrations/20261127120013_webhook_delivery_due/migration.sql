-- In a new database alone: processes of before find pending deliveries by this, and a migration of the next release removes it.
DO $$
BEGIN
  IF EXISTS (SELECT FROM "payment") THEN RETURN; END IF;
  DROP INDEX "webhook_delivery_due";
END $$;

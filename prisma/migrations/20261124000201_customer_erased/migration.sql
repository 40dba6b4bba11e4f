-- When the customer's personal data was removed from a payment. Null is no change of the rows that exist.
ALTER TABLE "payment" ADD COLUMN "customer_erased_at" TIMESTAMPTZ(3);

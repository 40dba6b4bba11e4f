-- Attempts by the gateway's own id of the transaction, which stands on the customer's receipt.
CREATE INDEX CONCURRENTLY "attempt_by_transaction" ON "attempt" ("merchant_id", "account_id", "transaction_id")
  WHERE "transaction_id" IS NOT NULL;

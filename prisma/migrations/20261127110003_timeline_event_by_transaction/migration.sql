-- The gateway's id of a transaction is in the event that it brought. In an index of attempts, where it is null first, it has all of their indexes
-- written again.
CREATE INDEX CONCURRENTLY "timeline_event_by_transaction" ON "timeline_event" ("merchant_id", ("detail" ->> 'transactionId'))
  WHERE "detail" ->> 'transactionId' IS NOT NULL;

CREATE INDEX CONCURRENTLY "timeline_event_by_gateway_transaction" ON "timeline_event" (("detail" ->> 'transactionId'))
  WHERE "detail" ->> 'transactionId' IS NOT NULL;

-- Events are read by their payment: one index in place of two, and some 120 bytes less for each event.
CREATE UNIQUE INDEX CONCURRENTLY "timeline_event_by_payment" ON "timeline_event" ("merchant_id", "payment_id", "id");

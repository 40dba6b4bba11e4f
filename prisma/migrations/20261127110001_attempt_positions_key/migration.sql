-- A reference names its payment and the position of its attempt: what is unique by these has one attempt for each reference.
CREATE UNIQUE INDEX CONCURRENTLY "attempt_merchant_id_payment_id_position_key" ON "attempt" ("merchant_id", "payment_id", "position");

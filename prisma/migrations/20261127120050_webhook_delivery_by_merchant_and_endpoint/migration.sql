-- With the merchant again: to the planner, who takes the two for independent, an index of both seems to leave so few rows that it reads all of an
-- endpoint's by the unique one and sorts them.
CREATE INDEX CONCURRENTLY "webhook_delivery_merchant_id_endpoint_id_created_at_id_idx" ON "webhook_delivery"
  ("merchant_id", "endpoint_id", "created_at", "id");

CREATE INDEX CONCURRENTLY "gateway_webhook_by_named_payment" ON "gateway_webhook"
  ((CASE WHEN "reference" ~ '^sy[0-9a-f]{32}[0-9]{2}$' THEN substr("reference", 3, 32)::uuid END))
  WHERE CASE WHEN "reference" ~ '^sy[0-9a-f]{32}[0-9]{2}$' THEN substr("reference", 3, 32)::uuid END IS NOT NULL;

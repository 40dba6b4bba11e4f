-- Lists of disputes by time, for reports, the API and files.
CREATE INDEX CONCURRENTLY "dispute_merchant_id_mode_created_at_id_idx" ON "dispute" ("merchant_id", "mode", "created_at", "id");

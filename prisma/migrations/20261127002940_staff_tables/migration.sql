-- The limit is far above what the dashboard's tables need: it bounds what a person can store.
ALTER TABLE "staff_user" ADD COLUMN "tables" JSONB NOT NULL DEFAULT '{}',
  ADD CONSTRAINT "staff_user_tables_size" CHECK (octet_length("tables"::text) <= 65536);

-- When a planned override begins. Null: it began when it was set.
ALTER TABLE "routing_override" ADD COLUMN "starts_at" TIMESTAMPTZ(3);

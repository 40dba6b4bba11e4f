-- Attempts that opened no checkout, by account and time: few, and written by those alone.
CREATE INDEX CONCURRENTLY "attempt_failed" ON "attempt" ("account_id", "created_at" DESC) WHERE "failure_class" IS NOT NULL;

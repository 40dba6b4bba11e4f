-- An account is one merchant's. Beginning with it, and not with what the unique reference of an attempt begins with, the index is never
-- taken for one of these, not even before there are statistics.
CREATE INDEX CONCURRENTLY "attempt_by_account_and_time" ON "attempt" ("account_id", "created_at" DESC);

-- A session keeps the plan of a trigger's statements. Made while the table is small, it would read all of it for each delivery of a backlog
-- that came since.
ALTER FUNCTION "keep_due_delivery"() SET enable_seqscan = off;

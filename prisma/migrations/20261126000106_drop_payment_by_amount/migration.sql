-- The index by amount and id serves whatever this one did.
DROP INDEX CONCURRENTLY "payment_by_amount";

-- The index by the reversed digits serves whatever this one did.
DROP INDEX CONCURRENTLY "payment_by_phone";

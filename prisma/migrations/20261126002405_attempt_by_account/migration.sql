DROP INDEX CONCURRENTLY "attempt_by_account";

-- Attempts that were paid twice are in "duplicate_charge": nothing looks for them here.
DROP INDEX CONCURRENTLY "attempt_duplicate";

-- Sums by week and by month are no longer kept: those by day answer within the same bounds, and every change has fewer to update.

-- Nobody counts notes meanwhile.
SELECT pg_advisory_xact_lock(7240117);

DELETE FROM "payment_sum" WHERE "step" IN ('week', 'month');

-- A process that still reads or writes the steps that are gone gets an error, and no sum that misses something.
ALTER TYPE "sum_step" RENAME TO "sum_step_before";
CREATE TYPE "sum_step" AS ENUM ('hour', 'day');
ALTER TABLE "payment_sum" ALTER COLUMN "step" TYPE "sum_step" USING "step"::text::"sum_step";
DROP TYPE "sum_step_before";

SET lock_timeout = '2s';
-- Why the payment is FAILED, as a code; null in any other status, and until the worker has filled it in for payments that failed before.
ALTER TABLE "payment" ADD COLUMN "failure_reason" TEXT;

-- Status checks are judged from when an account was demoted, also while it is probed.
ALTER TABLE "health_status" ADD COLUMN "demoted_at" TIMESTAMPTZ(3);

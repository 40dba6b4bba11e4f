-- The IANA time zone a staff user reads times in; null for the workspace's.
ALTER TABLE "staff_user" ADD COLUMN "time_zone" TEXT;

-- A status that the gateway's documentation does not list, as a sentence about it, and the gateway's record that it is in; null while
-- the status is one that is listed.
ALTER TABLE "dispute" ADD COLUMN "unrecognised" TEXT;
ALTER TABLE "settlement" ADD COLUMN "unrecognised" TEXT, ADD COLUMN "unrecognised_record" TEXT;

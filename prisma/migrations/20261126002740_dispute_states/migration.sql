-- New values of enums are usable only after the migration that adds them.
ALTER TYPE "dispute_state" ADD VALUE 'ACCEPTED' BEFORE 'CLOSED';
ALTER TYPE "dispute_state" ADD VALUE 'EXPIRED' BEFORE 'CLOSED';
ALTER TYPE "incident_kind" ADD VALUE 'dispute_opened';
ALTER TYPE "incident_kind" ADD VALUE 'dispute_due';

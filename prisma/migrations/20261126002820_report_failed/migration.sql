ALTER TYPE "incident_kind" ADD VALUE 'report_failed';

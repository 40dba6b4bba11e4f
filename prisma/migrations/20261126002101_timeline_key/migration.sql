SET lock_timeout = '2s';

ALTER TABLE "timeline_event" DROP CONSTRAINT "timeline_event_pkey",
  ADD CONSTRAINT "timeline_event_pkey" PRIMARY KEY USING INDEX "timeline_event_by_payment";
